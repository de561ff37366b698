// SPDX-License-Identifier: Apache-2.0
// What a linear channel has aired, computed from the editions that its viewers were shown, and how that differs from the plan.

import type { MarkersOut } from '../channels/channel.ts';
import type { AiringRecord, EditionRecord, EntryOnAir } from '../channels/schedule/airing.ts';
import {
  type Edition,
  type Lineup,
  partOf,
  positionAt,
  type Slot,
  slotAt,
  spanAt,
} from '../channels/schedule/edition.ts';
import { defined, withoutUndefined } from '../invariant.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, framesToFlicks, type Millis, millis } from '../time/units.ts';
import { type Span, spanEnd, spanStart, type Upid } from '../timeline/programme/span.ts';

/** A life of a channel, with its stored editions and the lineup compiled from them. */
export type AiredLife = {
  readonly airing: Pick<AiringRecord, 'life' | 'ladder'>;
  readonly records: readonly EditionRecord[];
  readonly lineup: Lineup;
};

/** `in` and `out`: seconds of the asset. */
export type PlayedAsset = { readonly url: string; readonly in: number; readonly out: number };
/** Empty for the items of a playlist. `plannedStart`: as its operator has stated it. */
type OfEntry = {
  readonly entryId?: string;
  readonly title?: string;
  readonly upid?: Upid;
  readonly plannedStart?: Millis;
};

/** `markers`: how manifests marked it, as the channel said when the row was recorded. */
type OfBreak = { readonly breakId: string; readonly markers?: MarkersOut };

type Shown =
  | (OfEntry & { readonly kind: 'programme'; readonly asset: PlayedAsset })
  | (OfEntry & OfBreak & { readonly kind: 'break' })
  | { readonly kind: 'filler'; readonly asset: PlayedAsset }
  | (OfEntry & { readonly kind: 'slate' })
  | (OfBreak & { readonly kind: 'insertedBreak'; readonly insertedId: string })
  | { readonly kind: 'blackout'; readonly insertedId: string };

/** `id`: of what was shown without interruption, whatever range was asked for. `differences`: sentences. */
export type AsRunRow = Shown & {
  readonly id: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly differences: readonly string[];
};

/** What is shown without an end ends at the latest time that a date can hold. */
const NEVER = millis(8.64e15);

/** A span, or all of an edition that consists of slate: a blackout may last for a year. */
type Piece = {
  readonly index: number;
  readonly position: number;
  readonly slot: Slot;
  readonly span: Span;
  readonly to: Millis;
  readonly entry: EntryOnAir | undefined;
  readonly shown: Shown;
};

/** Rows with their true borders. */
type WholeRow = {
  readonly id: string;
  readonly from: Millis;
  readonly to: Millis;
  readonly shown: Shown;
  readonly atStart: readonly string[];
  readonly atEnd: readonly string[];
};

/** The rows between two instants: each starts when the one before it ends. Those at the borders of the range are cut there. */
export function asRunOf(life: AiredLife, from: Millis, to: Millis): AsRunRow[] {
  const rows: AsRunRow[] = [];
  if (to <= from) return rows;
  for (let row = rowAt(life, from); row !== undefined && row.from < to; row = rowAt(life, row.to))
    rows.push(rowWithin(row, from, to));
  return rows;
}

/** When the row ends that is on air at an instant. */
export const onAirUntil = (life: AiredLife, at: Millis): Millis => rowAt(life, at)?.to ?? NEVER;

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

function rowWithin({ id, shown, atStart, atEnd, ...row }: WholeRow, from: Millis, to: Millis): AsRunRow {
  const own = { from: millis(Math.max(row.from, from)), to: millis(Math.min(row.to, to)) };
  const differences = [...(row.from >= from ? atStart : []), ...(row.to <= to ? atEnd : [])];
  if (!('asset' in shown)) return { id, ...own, ...shown, differences };
  const { url, in: start, out } = shown.asset;
  const at = (time: Millis): number => rounded(start + (time - row.from) / 1000);
  const asset = { url, in: at(own.from), out: own.to === row.to ? rounded(out) : at(own.to) };
  return { id, ...own, ...shown, asset, differences };
}

/** @returns undefined after the end */
function rowAt(life: AiredLife, at: Millis): WholeRow | undefined {
  const { editions } = life.lineup;
  const index = Math.max(
    0,
    editions.findLastIndex(({ from }) => from <= at),
  );
  const edition = editionAt(life, index);
  if (at >= NEVER) return undefined;
  let first = pieceAt(life, index, positionAt(edition, millis(Math.max(at, edition.from))));
  let last = first;
  for (let one = before(life, first); one !== undefined && isOne(one, first); one = before(life, first)) first = one;
  for (let one = after(life, last); one !== undefined && isOne(last, one); one = after(life, last)) last = one;
  const { shown } = first;
  return {
    id: `${life.airing.life}-${first.span.id}`,
    from: spanStart(first.span),
    to: last.to,
    shown:
      'asset' in shown && 'asset' in last.shown
        ? { ...shown, asset: { ...shown.asset, out: last.shown.asset.out } }
        : shown,
    atStart: startDifferences(life, first),
    atEnd: endDifferences(life, last),
  };
}

const editionAt = ({ lineup }: AiredLife, index: number): Edition =>
  defined(lineup.editions[index], 'a lineup has the edition that was found in it');

type Entries = EditionRecord['entries'];

const entryOf = ({ follows, inserted, item }: Slot, entries: Entries): EntryOnAir | undefined =>
  follows === undefined && inserted === undefined ? (entries?.[item] ?? undefined) : undefined;

function isLoop(life: AiredLife, index: number): boolean {
  const { slots } = editionAt(life, index);
  const { entries } = defined(life.records[index], 'each edition has a record');
  const [first] = slots;
  const isLikeFirst = (slot: Slot) =>
    slot.inserted?.id === first?.inserted?.id && entryOf(slot, entries) === (first && entryOf(first, entries));
  return slots.every((slot) => slot.slate !== undefined && isLikeFirst(slot));
}

function pieceAt(life: AiredLife, index: number, at: number): Piece {
  const edition = editionAt(life, index);
  const { entries } = defined(life.records[index], 'each edition has a record');
  const isLooped = isLoop(life, index);
  const position = isLooped ? 0 : at;
  const slot = slotAt(edition, position);
  const span = spanAt(edition, position);
  const lastOfLoop = edition.last && spanAt(edition, edition.last.position);
  const to = isLooped ? (lastOfLoop ? spanEnd(lastOfLoop) : NEVER) : spanEnd(span);
  const entry = entryOf(slot, entries);
  const isFiller = slot.follows !== undefined || (entries !== undefined && entry === undefined);
  return { index, position, slot, span, to, entry, shown: shownIn(slot, span, entry, isFiller) };
}

function shownIn(slot: Slot, { id, placed: { clip } }: Span, entry: EntryOnAir | undefined, isFiller: boolean): Shown {
  const { inserted } = slot;
  if (inserted !== undefined && slot.break !== undefined)
    return { kind: 'insertedBreak', breakId: id, insertedId: inserted.id };
  if (inserted !== undefined) return { kind: 'blackout', insertedId: inserted.id };
  const { id: entryId, title, upid, startsAt: plannedStart } = entry ?? {};
  const ofEntry = withoutUndefined({ entryId, title, upid, plannedStart });
  // Slate that holds the place of a live entry belongs to it, as in the timeline.
  if (slot.slate !== undefined) return { kind: 'slate', ...ofEntry };
  if (slot.break !== undefined) return { kind: 'break', ...ofEntry, breakId: id };
  const start = partOf(clip).start + clip.from;
  const seconds = { in: start / FLICKS_PER_SECOND, out: (start + clip.duration) / FLICKS_PER_SECOND };
  const asset: PlayedAsset = { url: clip.asset.url, ...seconds };
  return isFiller ? { kind: 'filler', asset } : { kind: 'programme', ...ofEntry, asset };
}

function before(life: AiredLife, { index, position }: Piece): Piece | undefined {
  if (position > 0) return pieceAt(life, index, position - 1);
  return index === 0 ? undefined : pieceAt(life, index - 1, editionAt(life, index - 1).last?.position ?? 0);
}

function after(life: AiredLife, { index, position, to }: Piece): Piece | undefined {
  const edition = editionAt(life, index);
  if (isLoop(life, index) || edition.last?.position === position)
    return to === NEVER ? undefined : pieceAt(life, index + 1, 0);
  return pieceAt(life, index, position + 1);
}

/** The next piece that satisfies a condition. */
function following(life: AiredLife, piece: Piece, isFound: (one: Piece) => boolean): Piece | undefined {
  let next = after(life, piece);
  while (next !== undefined && !isFound(next)) next = after(life, next);
  return next;
}

/** Whether two pieces that follow each other are one row. Slate is one row in an edition only, so that rows end at some time. */
function isOne(one: Piece, next: Piece): boolean {
  const [left, right] = [one.shown, next.shown];
  if (left.kind === 'slate')
    return right.kind === 'slate' && one.index === next.index && one.entry?.id === next.entry?.id;
  if (left.kind === 'blackout')
    return right.kind === 'blackout' && left.insertedId === right.insertedId && slateOf(one) === slateOf(next);
  if (!('asset' in left && 'asset' in right)) return false;
  const isSame = left.kind === right.kind && one.entry?.id === next.entry?.id && left.asset.url === right.asset.url;
  return isSame && left.asset.out === right.asset.in;
}

const slateOf = ({ slot }: Piece): string | undefined => slot.slate?.slateId;
const isInserted = ({ slot }: Piece): boolean => slot.inserted !== undefined;
const seconds = (milliseconds: number): string => `${(Math.abs(milliseconds) / 1000).toFixed(3)} s`;

/** Starts are met within a frame. */
const frameOf = ({ airing }: AiredLife): number => framesToFlicks(1, airing.ladder.frameRate);

function startDifferences(life: AiredLife, piece: Piece): string[] {
  if (isInserted(piece)) return ['Inserted by an operator.'];
  if (piece.shown.kind === 'slate') return ['Slate, because nothing could be played in this time.'];
  const { entry, slot } = piece;
  if (entry === undefined) return [];
  let previous = before(life, piece);
  while (previous !== undefined && isInserted(previous)) previous = before(life, previous);
  if (previous?.entry?.id === entry.id) return [];
  const late = spanStart(piece.span) - (entry.startsAt ?? spanStart(piece.span));
  const isLate = Math.abs(late) * FLICKS_PER_MILLI > frameOf(life);
  return [
    ...(isLate ? [`Started ${seconds(late)} ${late > 0 ? 'later' : 'earlier'} than planned.`] : []),
    ...(slot.at > 0 ? [`Joined in progress, without its first ${seconds(slot.at / FLICKS_PER_MILLI)}.`] : []),
  ];
}

function endDifferences(life: AiredLife, piece: Piece): string[] {
  const next = after(life, piece);
  if (next === undefined) return [];
  const { shown, slot, span, entry } = piece;
  const { duration } = span.placed.clip;
  if ('insertedId' in shown) {
    if (next.index === piece.index || life.records[next.index]?.after?.ended !== shown.insertedId) return [];
    const early =
      shown.kind === 'insertedBreak' ? `${seconds((slot.clip.duration - duration) / FLICKS_PER_MILLI)} early ` : '';
    return [`Ended ${early}by an operator.`];
  }
  if (shown.kind !== 'programme') return [];
  // A playlist plays its items to their end.
  const { entries } = defined(life.records[piece.index], 'each edition has a record');
  const end = entries === undefined ? slot.clip.asset.duration : (entry?.end ?? slot.at + slot.clip.duration);
  const left = end - slot.at - duration;
  if (left <= frameOf(life)) return [];
  const resumed = following(life, piece, ({ slot }) => slot.break === undefined && slot.inserted === undefined);
  const isResumed = entry === undefined ? continues(shown.asset, resumed) : entry.id === resumed?.entry?.id;
  // What the layout has cut may be followed by slate, up to the entry that has cut it.
  const isOther = ({ index, entry: other }: Piece) =>
    index !== piece.index || (other !== undefined && other.id !== entry?.id);
  const cutBy = entry === undefined || next.index !== piece.index ? resumed : following(life, piece, isOther);
  return [
    ...(isInserted(next)
      ? [`Interrupted by an operator's ${next.slot.break === undefined ? 'blackout' : 'break'}.`]
      : []),
    ...(isResumed ? [] : [`Cut ${seconds(left / FLICKS_PER_MILLI)} before its end by ${nameOf(cutBy?.entry)}.`]),
  ];
}

const continues = ({ url, out }: PlayedAsset, next: Piece | undefined): boolean =>
  next !== undefined && 'asset' in next.shown && next.shown.asset.url === url && next.shown.asset.in >= out;

const nameOf = (entry: EntryOnAir | undefined): string =>
  entry === undefined ? 'a change of what is played' : `"${entry.title ?? entry.id}"`;
