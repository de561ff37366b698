// SPDX-License-Identifier: Apache-2.0
// The time zone in which the console shows and reads times: that of the browser until the operator selects another one.
import { createStore } from '../stores/createStore.ts';

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Empty while the zone of the browser is used. */
export const selectedZone = createStore('');

/** Whether the browser knows a zone by this name. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

/** The IANA name of the zone in which times are shown. */
export const timeZone = (): string => selectedZone.read() || browserZone();

/** @param zone an IANA name; empty for the zone of the browser */
export const selectTimeZone = (zone: string): void => selectedZone.write(isTimeZone(zone) ? zone : '');

/** `UTC`, `UTC+1`, `UTC+5:30`: the offset of the zone at an instant. @param time milliseconds */
export function zoneOffsetName(time: number, zone = timeZone()): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(time);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  return name.replace('GMT', 'UTC').replace(/\+0$/, '');
}
