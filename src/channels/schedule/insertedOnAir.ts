// SPDX-License-Identifier: Apache-2.0
// Where what operators have inserted really is on a lineup: it starts at a cut point, and may wait for what is before it.
import type { Millis } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { type Lineup, slotAt, spanAt } from './edition.ts';

export type InsertedOnAir = {
  /** The id that its span has for viewers. */
  readonly spanId: string;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
};

export function insertedOnAir({ editions }: Lineup): ReadonlyMap<string, InsertedOnAir> {
  const found = new Map<string, InsertedOnAir>();
  for (const edition of editions) {
    const id = slotAt(edition, 0).inserted?.id;
    if (id === undefined) continue;
    // The slot of the break is the first one of the edition, or the only one, which may be repeated.
    const last = edition.slots.length === 1 ? (edition.last?.position ?? 0) : 0;
    const first = spanAt(edition, 0);
    const { placed } = spanAt(edition, last);
    const endsAt = clockAt(placed.start, placed.clip.duration);
    const known = found.get(id);
    found.set(id, known === undefined ? { spanId: first.id, startsAt: edition.from, endsAt } : { ...known, endsAt });
  }
  return found;
}
