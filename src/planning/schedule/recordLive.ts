// SPDX-License-Identifier: Apache-2.0
// What of a live entry is put on air next: slate holds its place on the lineup of its channel, and is replaced by what the origin
// has shown since, piece by piece. What is on air and what follows it within the lead never changes.
import { type Slot as EditionSlot, type SlotPlan, slotAt, spanAt } from '../../channels/schedule/edition.ts';
import {
  type Cursor,
  currentAt,
  inForceAt,
  type LeavingOf,
  leaveAfter,
  leaveBefore,
  leaveLineup,
} from '../../channels/schedule/leaveLineup.ts';
import { type Current, continueAfter, type Schedule } from '../../channels/schedule/nextEditions.ts';
import type { Slate } from '../../channels/schedule/planSlots.ts';
import { defined, isNonEmpty } from '../../invariant.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveState } from '../../live/programme/liveState.ts';
import { type LivePiece, newestPieces, piecesAfter } from '../../live/programme/nextPieces.ts';
import { piecesUntilEnd } from '../../live/programme/programmeEnd.ts';
import { type Recorded, recordedAt, recordedClip } from '../../live/programme/recordedContent.ts';
import type { Slot } from '../../live/slot.ts';
import { gridOf } from '../../scheduling/fit.ts';
import {
  FLICKS_PER_MILLI,
  FLICKS_PER_SECOND,
  type Flicks,
  flicks,
  framesToFlicks,
  type Millis,
  millis,
} from '../../time/units.ts';
import {
  after,
  clockAt,
  flicksBetween,
  type Instant,
  type Stretch,
  spanEnd,
  spanStart,
} from '../../timeline/programme/span.ts';

/** A live entry as a lineup has it, on air or next. */
export type EntryOnLineup = {
  readonly id: string;
  /** When it was laid out to start. */
  readonly from: Millis;
  /** The span with which its place begins, as far back as was looked. */
  readonly first: Cursor;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** What has been put on air of it last. */
  readonly last?: {
    readonly cursor: Cursor;
    readonly end: Instant;
    readonly source: Recorded;
    readonly stretch: Stretch | undefined;
  };
};

/** Editions before the one in force in which the last content before a gap is found. */
const LOOK_BACK = 50;

/** @param until an entry that starts later is not looked for */
export function liveEntryOn(lineup: readonly Current[], now: Millis, until: Millis): EntryOnLineup | undefined {
  let found: EntryOnLineup | undefined;
  for (let index = Math.max(0, inForceAt(lineup, now) - LOOK_BACK); index < lineup.length; index += 1) {
    const { edition, record } = currentAt(lineup, index);
    if (edition.from > until) break;
    const end = edition.last?.position ?? edition.slots.length - 1;
    // A cycle is filler.
    if (edition.last !== undefined && end >= edition.slots.length) continue;
    for (let position = 0; position <= end; position += 1) {
      const slot = slotAt(edition, position);
      const entry = isOfEntry(slot) ? record.entries?.[slot.item] : undefined;
      const span = spanAt(edition, position);
      if (!entry?.isLive) {
        if (found !== undefined && found.endsAt > now && slot.inserted === undefined) return found;
        continue;
      }
      if (found?.id !== entry.id) {
        if (found !== undefined && found.endsAt > now) return found;
        if (spanStart(span) > until) return undefined;
        found = {
          id: entry.id,
          from: entry.from,
          first: { index, position },
          startsAt: spanStart(span),
          endsAt: spanEnd(span),
        };
      }
      const { live } = slot;
      const last = live && {
        cursor: { index, position },
        end: after(span.placed.start, span.placed.clip.duration),
        source: live.source as Recorded,
        stretch: live.stretch,
      };
      found = { ...found, endsAt: spanEnd(span), ...(last && { last }) };
    }
  }
  return found !== undefined && found.endsAt > now ? found : undefined;
}

const isOfEntry = ({ follows, inserted }: EditionSlot): boolean => follows === undefined && inserted === undefined;

/** The lead of editions; what is put on air is at most so much later, so that it is not old by then. */
type Timing = { readonly now: Millis; readonly lead: number };
const AT_ONCE_MS = 4000;
/** The reader of another node, or of this one before it was started, has failed if what it has put on air ends so soon. */
const TAKEN_OVER_MS = 2000;
/** Readings come up to half a slot late, and the recorder works every second. */
const MARGIN: Flicks = flicks(3 * FLICKS_PER_SECOND);

/** `endsAt`: the origin has ended the programme there, after the pieces. */
export type NextOnAir = {
  readonly left: LeavingOf;
  readonly start: Instant;
  readonly pieces: readonly LivePiece[];
  readonly endsAt?: Millis;
};

type LiveSource = {
  readonly state: LiveState;
  /** Of a break that does not announce its end. */
  readonly openLength: Flicks;
  /** Milliseconds after the start of the entry from which on the origin can end it; undefined if it does not. */
  readonly endableAfter?: number | undefined;
};

export function nextOnAir(
  lineup: readonly Current[],
  entry: EntryOnLineup,
  { state, openLength, endableAfter }: LiveSource,
  { now, lead }: Timing,
): NextOnAir | undefined {
  const earliest = millis(now + lead);
  const { last } = entry;
  const own = last?.source.life === state.feed.life ? last.source : undefined;
  const left = last === undefined ? undefined : millisOf(last.end) - earliest;
  const upToEnd = (next: NextOnAir): NextOnAir => {
    const pieces = endableAfter === undefined ? undefined : piecesUntilEnd(state, own, next.pieces);
    if (endableAfter === undefined || pieces === undefined) return next;
    const endsAt = clockAt(next.start, lengthOf(pieces));
    return endsAt < entry.from + endableAfter ? next : { ...next, pieces, endsAt };
  };
  if (last !== undefined && left !== undefined && left >= 0) {
    const { index, position } = last.cursor;
    const held = slotAfter(lineup, { index, position });
    if (held === undefined || !isOfEntry(held)) return undefined;
    const follow = { left: leaveAfter(lineup, last.cursor), start: last.end };
    if (own === undefined)
      return left < TAKEN_OVER_MS
        ? some(upToEnd({ ...follow, pieces: newestPieces(state, undefined, MARGIN) }))
        : undefined;
    const pieces = piecesAfter(state, own, openLength);
    const next = upToEnd({ ...follow, pieces });
    if (next.endsAt !== undefined) return some(next);
    const isEnough = left * FLICKS_PER_MILLI < 1.5 * longestSlot(pieces) || pieces.some(({ kind }) => kind === 'break');
    return isEnough ? some({ ...follow, pieces }) : undefined;
  }
  const begins = last === undefined && entry.startsAt >= earliest;
  const leaving = begins ? leaveBefore(lineup, entry.first) : leaveLineup(lineup, earliest);
  const { at, next } = leaving.leaving;
  const { entries } = currentAt(lineup, leaving.index).record;
  const isHeld = begins || (next.follows === undefined && entries?.[next.item]?.id === entry.id);
  if (!isHeld || at > earliest + AT_ONCE_MS) return undefined;
  const start = { millis: at, rest: flicks(0) };
  return some(upToEnd({ left: leaving, start, pieces: newestPieces(state, own, MARGIN) }));
}

const millisOf = (instant: Instant): Millis => clockAt(instant, 0);
/** An edition begins at a whole millisecond unless it begins with live content. */
function some(next: NextOnAir): NextOnAir | undefined {
  const { left, start, pieces, endsAt } = next;
  const [first] = pieces;
  if (first === undefined && endsAt === undefined) return undefined;
  return { ...next, start: first?.kind === 'content' ? start : { millis: left.leaving.at, rest: flicks(0) } };
}
const lengthOf = (pieces: readonly LivePiece[]): number =>
  pieces.reduce(
    (sum, piece) =>
      sum + (piece.kind === 'break' ? piece.length : piece.slots.reduce((all, one) => all + one.duration, 0)),
    0,
  );
const longestSlot = (pieces: readonly LivePiece[]): number =>
  Math.max(
    0,
    ...pieces.flatMap((piece) => (piece.kind === 'content' ? piece.slots.map(({ duration }) => duration) : [])),
  );

function slotAfter(lineup: readonly Current[], { index, position }: Cursor): EditionSlot | undefined {
  const { edition } = currentAt(lineup, index);
  if (edition.last?.position !== position) return slotAt(edition, position + 1);
  const following = lineup[index + 1];
  return following && slotAt(following.edition, 0);
}

/** A break that would be shorter is left out: the slate of the entry is shown instead. */
const LEAST_BREAK: Flicks = flicks(5 * FLICKS_PER_SECOND);

/** Pieces as slots of an edition, up to the end of the entry. @param at the position in the entry at `start` */
function livePlans(
  { start, pieces }: NextOnAir,
  entry: EntryOnLineup,
  feed: LiveFeed,
  slate: Slate,
  { item, at }: { readonly item: number; readonly at: Flicks },
): SlotPlan[] {
  const grid = gridOf(feed.ladder.frameRate);
  const plans: SlotPlan[] = [];
  const limit = flicksBetween(start, { millis: entry.endsAt, rest: flicks(0) });
  let time = 0;
  const fits = (length: number): boolean => {
    const rest = limit - time - length;
    return rest >= grid.least || Math.abs(rest) < grid.frame / 2;
  };
  let before: Pick<NonNullable<EntryOnLineup['last']>, 'source' | 'stretch'> | undefined = entry.last;
  for (const piece of pieces) {
    const place = { item, at: flicks(at + time) };
    if (piece.kind === 'break') {
      const frames = grid.framesIn(fits(piece.length) ? piece.length : limit - time);
      const length = framesToFlicks(frames, feed.ladder.frameRate);
      if (length < LEAST_BREAK) return plans;
      const source: Recorded = { kind: 'break', life: feed.life, until: piece.until };
      plans.push({ ...place, clip: slate.clip(frames), break: { frames, slateId: slate.id }, live: { source } });
      time += length;
      before = undefined;
      continue;
    }
    const slots: Slot[] = [];
    let length = 0;
    for (const slot of piece.slots) {
      if (!fits(length + slot.duration)) break;
      slots.push(slot);
      length += slot.duration;
    }
    if (!isNonEmpty(slots)) return plans;
    const { source: known, stretch: own } = before ?? {};
    const continued =
      piece.continues && known?.kind === 'content' && own ? { origin: known.origin, stretch: own } : undefined;
    const { source, stretch } = recordedAt(
      { life: feed.life, url: feed.url, run: piece.run, rungs: feed.rungs },
      slots,
      after(start, time),
      continued,
    );
    plans.push({ ...place, clip: recordedClip({ source }), live: { stretch, source } });
    time += length;
    before = { source, stretch };
    if (slots.length < piece.slots.length) return plans;
  }
  return plans;
}

type Appended = {
  readonly entry: EntryOnLineup;
  readonly next: NextOnAir;
  readonly feed: LiveFeed;
  readonly slate: Slate;
};

/** The editions from where a lineup is left. @returns undefined if the schedule has the entry no longer */
export function editionsWith(
  lineup: readonly Current[],
  { entry, next, feed, slate }: Appended,
  schedule: Schedule,
): Current[] | undefined {
  const { index, leaving } = next.left;
  const current = currentAt(lineup, index);
  const place = schedule.placeOf(leaving.next, current.record);
  const { scheduled } = schedule.bridge(place, leaving.at);
  const plans = livePlans(next, entry, feed, slate, place);
  if ((plans.length === 0 && next.endsAt === undefined) || scheduled?.entries[place.item]?.id !== entry.id)
    return undefined;
  const length = plans.reduce((sum, { clip }) => sum + clip.duration, 0);
  const withLive: Schedule = {
    ...schedule,
    bridge(from) {
      const rest = schedule.bridge(
        { ...from, at: flicks(from.at + length), played: 0 },
        clockAt(after(next.start, length), 0),
      );
      return { ...rest, plans: [...plans, ...rest.plans] };
    },
  };
  const number = defined(lineup.at(-1), 'a lineup has an edition').record.number + 1;
  return continueAfter(current, leaving, withLive, number);
}
