// SPDX-License-Identifier: Apache-2.0
// The selected time zone. It is stored in the browser.
import { readLocal, storeLocal } from '../api/browserStorage.ts';
import { selectedZone, selectTimeZone, timeZone } from '../format/timeZone.ts';

const NAME = 'midroll-time-zone';

selectTimeZone(readLocal(NAME) ?? '');

/** @param zone an IANA name; empty for the zone of the browser */
export function storeTimeZone(zone: string): void {
  storeLocal(NAME, zone);
  selectTimeZone(zone);
}

/** The IANA name of the zone in which times are shown. Renders again when another one is selected. */
export const useTimeZone = (): string => selectedZone.usePart(timeZone);
