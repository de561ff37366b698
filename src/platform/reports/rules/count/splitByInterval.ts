// SPDX-License-Identifier: Apache-2.0
// A duration that spans several report intervals is divided among them.
import { REPORT_INTERVAL_MS, reportIntervalOf } from '../../../../time/reportInterval.ts';
import type { AiredRange } from '../event.ts';

/** Divides a time range at the borders of report intervals. */
export function* splitByInterval({ at, ms }: AiredRange): Generator<AiredRange> {
  for (let from: number = at; from < at + ms; ) {
    const interval = reportIntervalOf(from);
    const to = Math.min(interval + REPORT_INTERVAL_MS, at + ms);
    yield { at: interval, ms: to - from };
    from = to;
  }
}
