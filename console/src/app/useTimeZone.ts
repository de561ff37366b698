// SPDX-License-Identifier: Apache-2.0
// The selected time zone. It is stored in the browser.
import { useEffect, useState } from 'preact/hooks';
import { tryStorage } from '../api/browserStorage.ts';
import { onTimeZoneChange, selectTimeZone, timeZone } from '../format/timeZone.ts';

const NAME = 'midroll-time-zone';
const local = () => localStorage;

selectTimeZone(tryStorage(local, (storage) => storage.getItem(NAME)) ?? '');

/** @param zone an IANA name; empty for the zone of the browser */
export function storeTimeZone(zone: string): void {
  tryStorage(local, (storage) => void (zone === '' ? storage.removeItem(NAME) : storage.setItem(NAME, zone)));
  selectTimeZone(zone);
}

/** The IANA name of the zone in which times are shown. Renders again when another one is selected. */
export function useTimeZone(): string {
  const [zone, setZone] = useState(timeZone);
  useEffect(() => onTimeZoneChange(() => setZone(timeZone())), []);
  return zone;
}
