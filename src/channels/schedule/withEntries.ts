// SPDX-License-Identifier: Apache-2.0
// What the slots of an edition have of the entries of a schedule: where those start and end on the channel, and the bumpers of their
// breaks. An entry starts with its first slot that is shown, in whichever edition, and nothing that operators insert into it divides it.
import type { BumperUrls, EntryBorder, EntryPlace } from '../../timeline/programme/span.ts';
import { type Edition, type Slot, slotAt, spanAt } from './edition.ts';

/** `from`: when it was laid out to start. */
type LaidEntry = Pick<EntryPlace, 'id' | 'upid'> & {
  readonly from: EntryPlace['startsAt'];
  readonly bumpers?: BumperUrls;
};
type Entries = readonly (LaidEntry | null)[] | undefined;

/** What is inserted belongs to the entry on air, if that continues after it. */
function entryOf({ follows, item, inserted }: Slot, entries: Entries, onAir: string | undefined) {
  const entry = follows === undefined ? entries?.[item] : undefined;
  return inserted !== undefined && entry?.id !== onAir ? undefined : (entry ?? undefined);
}

/** @param before the edition that precedes it; undefined in the first one, and where that one is not stored any more */
export function withEntries(edition: Edition, entries: Entries, before: Edition | undefined): Edition {
  let border = before?.last && slotAt(before, before.last.position).border;
  if (entries === undefined && border?.started === undefined) return edition;
  const slots = edition.slots.map((slot, position): Slot => {
    const entry = entryOf(slot, entries, border?.started?.id);
    if (entry?.id !== border?.started?.id) {
      const isSeen = position > 0 || before !== undefined || edition.number === 0;
      border = borderOf(border?.started, entry, isSeen ? spanAt(edition, position).placed.startsAt : undefined);
    }
    const bumpers = slot.break && entry?.bumpers && { bumpers: { entryId: entry.id, ...entry.bumpers } };
    return border === undefined && bumpers === undefined ? slot : { ...slot, ...(border && { border }), ...bumpers };
  });
  return { ...edition, slots };
}

/** @param at undefined if the entry has started earlier */
function borderOf(
  ended: EntryBorder['started'],
  entry: LaidEntry | undefined,
  at = entry?.from,
): EntryBorder | undefined {
  if (at === undefined) return undefined;
  const started = entry && { id: entry.id, startsAt: at, ...(entry.upid && { upid: entry.upid }) };
  return { at, ended, started };
}
