// SPDX-License-Identifier: Apache-2.0
// A channel on air. A life begins when the channel is enabled and ends when it is removed or has been disabled for longer
// than the grace period. The ladder, the first instant and all numbers belong to that life. The stored records compile to
// the same lineup on every node.

import { type Flicks, flicks, type Millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { type Clip, cutClip } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fitToLadder } from '../../timeline/ladder/ladderOf.ts';
import type { BumperUrls, Upid } from '../../timeline/programme/span.ts';
import {
  type Base,
  type Edition,
  type Inserted,
  type Lineup,
  type LiveSlot,
  layCycle,
  type Place,
  type SlotPlan,
  slotAt,
} from './edition.ts';
import { withEntries } from './withEntries.ts';

export type AiringRecord = {
  readonly channelId: string;
  /** Unique. A session belongs to one life. */
  readonly life: string;
  readonly tenant: string;
  readonly startedAt: Millis;
  /** When it was put on air: it starts earlier, so that the first viewer has a full window. */
  readonly beganAt?: Millis;
  readonly ladder: Ladder;
};

export type SlotRecord =
  | {
      readonly kind: 'content';
      readonly asset: string;
      readonly part: number;
      readonly from: number;
      readonly to: number;
      readonly item: number;
      readonly at: number;
      readonly follows?: number;
    }
  | {
      readonly kind: 'break';
      readonly frames: number;
      readonly maxAds?: number;
      readonly slateId: string;
      readonly item: number;
      readonly at: number;
      readonly inserted?: Inserted;
      readonly follows?: number;
      readonly live?: LiveSlot;
    }
  | {
      readonly kind: 'live';
      readonly item: number;
      readonly at: number;
      readonly live: LiveSlot;
    }
  | {
      readonly kind: 'slate';
      readonly frames: number;
      readonly slateId: string;
      /** Of a blackout: where the list continues after it. Of slate in place of a live entry: its place in the entry. */
      readonly item?: number;
      readonly at?: number;
      readonly inserted?: Inserted;
      readonly follows?: number;
    };

/** An entry of a schedule, as it was when its edition was made. */
export type EntryOnAir = {
  readonly id: string;
  readonly title?: string;
  readonly upid?: Upid;
  /** Of its breaks; those of the channel when absent. */
  readonly bumpers?: BumperUrls;
  /** When it was laid out to start; so many milliseconds of it had been left out, because it was joined in progress. */
  readonly from: Millis;
  /** When it should start, if its operator has said so. */
  readonly startsAt?: Millis;
  /** Where it ends, as a position in it (`at` of slots), unless it was to be cut or filled to a length. */
  readonly end?: Flicks;
  readonly isLive?: true;
};

export type EditionEnd = {
  readonly position: number;
  readonly to: number;
  /** The id of the inserted break that an operator has ended there. */
  readonly ended?: string;
};

export type EditionRecord = {
  readonly channelId: string;
  readonly life: string;
  readonly number: number;
  readonly from: Millis;
  readonly slots: readonly SlotRecord[];
  readonly base: Base;
  /** How the preceding edition ends: the position of its last span, and where in its part that span is cut. */
  readonly after?: EditionEnd;
  readonly isBridge?: boolean;
  /** The URLs of the playlist's items, by which an edit finds where to continue. */
  readonly items: readonly (string | null)[];
  /** Of a schedule: the entries that are items; null for an item of its filler. */
  readonly entries?: readonly (EntryOnAir | null)[];
  /** Of a bridge of a schedule, and of the cycle after it: where the schedule continues after the bridge. */
  readonly next?: Place;
};

/** What the compiler reads: assets by key and clips of slate. Both exist before a record is stored. */
type Shelf = {
  asset(key: string): Asset;
  slate(slateId: string, frames: number): Clip;
  live(slot: LiveSlot): Clip;
};

export function slotRecord(plan: SlotPlan, keyOf: (asset: Asset) => string): SlotRecord {
  const { clip, item, at, inserted, follows, live } = plan;
  const more = { ...(inserted && { inserted }), ...(follows === undefined ? {} : { follows }) };
  if (plan.break !== undefined) return { kind: 'break', ...plan.break, item, at, ...more, ...(live && { live }) };
  if (plan.slate !== undefined)
    return { kind: 'slate', ...plan.slate, ...((inserted || item >= 0) && { item, at }), ...more };
  if (live !== undefined) return { kind: 'live', item, at, live };
  return {
    kind: 'content',
    asset: keyOf(clip.asset),
    part: clip.part,
    from: clip.from,
    to: clip.from + clip.duration,
    item,
    at,
    ...more,
  };
}

function slotPlan(record: SlotRecord, ladder: Ladder, shelf: Shelf): SlotPlan {
  if (record.kind === 'live') {
    const { item, at, live } = record;
    return { clip: shelf.live(live), item, at: flicks(at), live };
  }
  const { inserted, follows } = record.kind === 'content' ? { ...record, inserted: undefined } : record;
  const more = { ...(inserted && { inserted }), ...(follows === undefined ? {} : { follows }) };
  switch (record.kind) {
    case 'break': {
      const { frames, slateId, maxAds, item, at, live } = record;
      return {
        clip: shelf.slate(slateId, frames),
        item,
        at: flicks(at),
        break: { frames, slateId, ...(maxAds === undefined ? {} : { maxAds }) },
        ...(live && { live }),
        ...more,
      };
    }
    case 'slate': {
      const { frames, slateId, item = -1, at = 0 } = record;
      const slate = { frames, slateId };
      return { clip: shelf.slate(slateId, frames), item, at: flicks(at), slate, ...more };
    }
    case 'content': {
      const asset = shelf.asset(record.asset);
      const fit = fitToLadder(asset, ladder, record.asset);
      if (!fit.ok) throw new Error(`Asset ${asset.id} of an edition does not fit the ladder: ${fit.reason}`);
      const clip = cutClip(
        { kind: 'content', asset, part: record.part, from: flicks(record.from) },
        fit.renditions,
        flicks(record.to),
      );
      if (clip === undefined) throw new Error(`A slot of an edition contains no segment of asset ${asset.id}.`);
      return { clip, item: record.item, at: flicks(record.at), ...more };
    }
  }
}

/** The clip of a span that ends early. */
function shortened(clip: Clip, to: Flicks): Clip {
  if (to === clip.from + clip.duration) return clip;
  const renditions = clip.cells.map(({ rendition }) => rendition);
  const cut = cutClip(clip, renditions, to);
  if (cut === undefined)
    throw new Error(`An edition ends at ${to} of asset ${clip.asset.id}, which leaves no segment.`);
  return cut;
}

function compileEdition(
  record: EditionRecord,
  successor: EditionRecord | undefined,
  ladder: Ladder,
  shelf: Shelf,
): Edition {
  // What follows its end is not played. The first slot of it states where the list would have continued.
  const { slots } = record;
  const played = successor?.after === undefined ? slots : slots.slice(0, successor.after.position + 2);
  const cycle = layCycle(played.map((slot) => slotPlan(slot, ladder, shelf)));
  const { number, from, base, isBridge, next, entries } = record;
  const edition: Edition = {
    number,
    from,
    base,
    ...cycle,
    ...(isBridge && { isBridge }),
    ...(next && { next }),
    ...(entries && { isScheduled: true }),
  };
  if (successor?.after === undefined) return edition;
  const { position, to } = successor.after;
  const { clip } = slotAt(cycle, position);
  return { last: { position, clip: shortened(clip, flicks(to)) }, ...edition };
}

/** @param records of one life, by number, without gaps */
export function compileLineup(airing: AiringRecord, records: readonly EditionRecord[], shelf: Shelf): Lineup {
  const editions: Edition[] = [];
  for (const [index, record] of records.entries()) {
    const edition = compileEdition(record, records[index + 1], airing.ladder, shelf);
    editions.push(withEntries(edition, record.entries, editions.at(-1)));
  }
  return { startedAt: airing.startedAt, editions };
}
