// SPDX-License-Identifier: Apache-2.0
// What is worth a warning about an API key.

import type { KeyResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { fromLocalText } from '../format/zonedTime.ts';

const DAY_MS = 86_400_000;
/** A key that was not used for so long can probably be revoked. */
const UNUSED_DAYS = 90;
/** Clients need a new key before that. */
const EXPIRING_DAYS = 14;

export type KeyNote = { readonly tone: 'bad' | 'warn'; readonly text: string };

export function keyNotes({ createdAt, lastUsedAt, expiresAt }: KeyResponse, now: number): KeyNote[] {
  const notes: KeyNote[] = [];
  const left = expiresAt === undefined ? undefined : Date.parse(expiresAt) - now;
  if (left !== undefined && left <= 0) return [{ tone: 'bad', text: 'Expired' }];
  if (left !== undefined && left < EXPIRING_DAYS * DAY_MS) {
    const days = Math.floor(left / DAY_MS);
    notes.push({ tone: 'warn', text: days === 0 ? 'Expires today' : `Expires in ${days} d` });
  }
  const idle = Math.floor((now - Date.parse(lastUsedAt ?? createdAt)) / DAY_MS);
  if (idle >= UNUSED_DAYS) notes.push({ tone: 'warn', text: `Unused for ${idle} d` });
  return notes;
}

/**
 * The end of a day in the selected time zone, as the API expects it.
 * @param day `2027-01-01`, as date fields have it; what is invalid is sent as it is, so that the server reports it
 */
export function endOfDay(day: string): string {
  const time = fromLocalText(`${day}T23:59:59`);
  return time === undefined ? day : new Date(time).toISOString();
}
