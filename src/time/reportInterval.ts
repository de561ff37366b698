// SPDX-License-Identifier: Apache-2.0
import type { Millis } from './units.ts';

/** The report interval, the finest resolution of reports. Intervals begin at its multiples since 1970. */
export const REPORT_INTERVAL_MS = 10_000;

/** @returns the start of the report interval that contains the instant */
export const reportIntervalOf = (at: number): Millis => (at - (at % REPORT_INTERVAL_MS)) as Millis;
