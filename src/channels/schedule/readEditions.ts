// SPDX-License-Identifier: Apache-2.0
// The editions of a life as a process holds them. A live entry appends one every few seconds, each with the schedule of the next
// hours, and a day of them is kept: each is read once, and without what was never played.
import { defined } from '../../invariant.ts';
import type { EditionRecord } from './airing.ts';

/** `body`: null for an edition that is known. */
type StoredEdition = { readonly number: number; readonly body: string | null };

/**
 * @param stored all editions of a life, by number
 * @param known what was read before: editions never change
 */
export function readEditions(
  stored: readonly StoredEdition[],
  known: readonly EditionRecord[] = [],
): readonly EditionRecord[] {
  const held = new Map(known.map((record) => [record.number, record]));
  const records: EditionRecord[] = [];
  for (const { number, body } of stored) {
    const last = records.at(-1);
    const record =
      body === null
        ? defined(held.get(number), 'an edition without a body was read before')
        : sharing(JSON.parse(body) as EditionRecord, last);
    if (last !== undefined && record.after !== undefined)
      records[records.length - 1] = played(last, record.after.position);
    records.push(record);
  }
  return records;
}

/** The slots up to a position, and the next one, which states where the list would have continued. */
function played(record: EditionRecord, position: number): EditionRecord {
  const { slots } = record;
  return slots.length <= position + 2 ? record : { ...record, slots: slots.slice(0, position + 2) };
}

/** An edition with the lists of the one before it, if they are equal. */
function sharing(record: EditionRecord, last: EditionRecord | undefined): EditionRecord {
  if (last === undefined) return record;
  const isSame = (name: 'items' | 'entries') => JSON.stringify(record[name]) === JSON.stringify(last[name]);
  return {
    ...record,
    ...(isSame('items') && { items: last.items }),
    ...(isSame('entries') && last.entries && { entries: last.entries }),
  };
}
