// SPDX-License-Identifier: Apache-2.0
// The editions of a life as they are kept. A live entry appends one every few seconds, each with the schedule of the next hours,
// and a day of them is kept: each is read once, and what was never played of it is left out.
import { defined } from '../../invariant.ts';
import type { EditionRecord } from './airing.ts';

/** `body`: null for an edition that is known. */
type StoredEdition = { readonly number: number; readonly body: string | null };

/**
 * @param stored all editions of a life, by number
 * @param known what was read before: what an edition shows never changes
 */
export function readEditions(
  stored: readonly StoredEdition[],
  known: readonly EditionRecord[] = [],
): readonly EditionRecord[] {
  const held = new Map(known.map((record) => [record.number, record]));
  const records: EditionRecord[] = [];
  for (const { number, body } of stored) {
    const record =
      body === null
        ? defined(held.get(number), 'an edition without a body was read before')
        : (JSON.parse(body) as EditionRecord);
    const last = records.pop();
    if (last !== undefined) records.push(playedBefore(record, last));
    records.push(record);
  }
  return records;
}

/**
 * An edition as another one leaves it: its slots up to there and the next one, which states where the list would have continued,
 * with the entries that these are of.
 */
export function playedBefore({ after }: EditionRecord, left: EditionRecord): EditionRecord {
  const { slots, entries, next } = left;
  if (after === undefined || slots.length <= after.position + 2) return left;
  const played = slots.slice(0, after.position + 2);
  const ofSlots = played.flatMap((slot) => [slot.item, 'follows' in slot ? slot.follows : undefined]);
  const used = new Set([...ofSlots, next?.follows]);
  const named = entries && { entries: entries.map((entry, index) => (used.has(index) ? entry : null)) };
  return { ...left, slots: played, ...named };
}
