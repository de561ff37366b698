// An edit on air: where the edition in force is left, and where the new list is taken up. The past is never touched;
// the item that is on goes on from where it was cut, if the new list still has it.
import { type Flicks, flicks, type Millis } from '../time/units.ts';
import { type Clip, cutClip } from '../timeline/clip.ts';
import { after, clockAt, spanEnd } from '../timeline/span.ts';
import { type Edition, positionAt, type SlotPlan, spanAt } from './edition.ts';

/** The end of an edition: its last span, cut to `clip`, and what would have come next. */
export type Leaving = {
  readonly position: number;
  readonly clip: Clip;
  /** When the successor starts. */
  readonly at: Millis;
  /** The item and the place in it that would play next; breaks at that very place have played when `played`. */
  readonly next: { readonly item: number; readonly at: Flicks; readonly played: boolean };
};

/** The first cut point inside a span of content (or plain slate) that comes not before `earliest`. */
function cutInside(edition: Edition, position: number, earliest: Millis): { clip: Clip; end: Flicks } | undefined {
  const { placed, break: isBreak } = spanAt(edition, position);
  const { clip, start } = placed;
  if (isBreak !== undefined) return undefined;
  const renditions = clip.cells.map(({ rendition }) => rendition);
  for (const point of clip.asset.parts[clip.part]!.cutPoints) {
    const length = point - clip.from;
    if (length <= 0 || length >= clip.duration || clockAt(start, length) < earliest) continue;
    const head = cutClip(clip.kind, clip.asset, renditions, clip.part, clip.from, flicks(point));
    const tail = cutClip(
      clip.kind,
      clip.asset,
      renditions,
      clip.part,
      flicks(point),
      flicks(clip.from + clip.duration),
    );
    if (head !== undefined && tail !== undefined) return { clip: head, end: flicks(point) };
  }
  return undefined;
}

/** @param earliest far enough ahead for every replica to have seen the edit, and beyond every published segment */
export function leaveAt(edition: Edition, earliest: Millis): Leaving {
  const position = positionAt(edition, earliest);
  const count = edition.slots.length;
  const slot = edition.slots[position % count]!;
  const cut = cutInside(edition, position, earliest);
  if (cut !== undefined) {
    const { start } = spanAt(edition, position).placed;
    const next = { item: slot.item, at: flicks(slot.clip.asset.parts[slot.clip.part]!.start + cut.end), played: false };
    return { position, clip: cut.clip, at: clockAt(after(start, cut.clip.duration), 0), next };
  }
  const following = edition.slots[(position + 1) % count]!;
  const played = slot.break !== undefined && following.item === slot.item && following.break === undefined;
  const span = spanAt(edition, position);
  return {
    position,
    clip: span.placed.clip,
    at: spanEnd(span),
    next: { item: following.item, at: following.at, played },
  };
}

/** What is left of an item's slots from a place in its asset on. */
export function restOf(slots: readonly SlotPlan[], at: Flicks, played: boolean): SlotPlan[] {
  return slots.flatMap((slot): SlotPlan[] => {
    if (slot.break !== undefined) return slot.at > at || (slot.at === at && !played) ? [slot] : [];
    if (slot.at >= at) return [slot];
    const { asset, cells, part, from, duration } = slot.clip;
    const cut = flicks(at - asset.parts[part]!.start);
    const end = flicks(from + duration);
    if (cut >= end) return [];
    const clip = cutClip(
      'content',
      asset,
      cells.map(({ rendition }) => rendition),
      part,
      cut,
      end,
    );
    return clip === undefined ? [] : [{ ...slot, clip, at }];
  });
}

/**
 * The item of the new list at which to go on: the one with the same URL nearest to the old place, else the first
 * survivor of those that would have followed, else none.
 */
export function resumeIndex(
  before: readonly (string | undefined)[],
  now: readonly (string | undefined)[],
  item: number,
): { index: number; isSame: boolean } | undefined {
  for (let steps = 0; steps < before.length; steps += 1) {
    const old = (item + steps) % before.length;
    const url = before[old];
    if (url === undefined || item < 0) continue;
    const same = now.flatMap((candidate, index) => (candidate === url ? [index] : []));
    if (same.length === 0) continue;
    const index = same.reduce((best, one) => (Math.abs(one - old) < Math.abs(best - old) ? one : best));
    return { index, isSame: steps === 0 };
  }
  return undefined;
}
