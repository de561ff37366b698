// SPDX-License-Identifier: Apache-2.0
// Cuts what an entry plays: to the frame where it is slate, at cut points where it is content.
import { partOf, type SlotPlan } from '../channels/schedule/edition.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import { restOf } from '../channels/schedule/resume.ts';
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks, framesToFlicks } from '../time/units.ts';
import { cutClip } from '../timeline/asset/clip.ts';
import { minSlateFrames } from '../timeline/asset/frameGrid.ts';

/** A break that is cut by the start of an entry is left out if it would be shorter than this. */
const LEAST_BREAK: Flicks = flicks(5 * FLICKS_PER_SECOND);

type Grid = { readonly frame: Flicks; readonly least: Flicks; readonly framesIn: (length: number) => number };

export function gridOf(rate: FrameRate): Grid {
  const frame = framesToFlicks(1, rate);
  return {
    frame,
    least: framesToFlicks(minSlateFrames(rate), rate),
    framesIn: (length) => Math.round(length / frame),
  };
}

/** Slots that fit into a length: the rest is nothing, or long enough for slate. */
export function fitted(
  list: readonly SlotPlan[],
  length: number,
  grid: Grid,
  slate: Slate,
): { readonly slots: readonly SlotPlan[]; readonly isCut: boolean } {
  const slots: SlotPlan[] = [];
  let left = length;
  for (const slot of list) {
    if (left < grid.frame / 2) return { slots, isCut: true };
    const rest = left - slot.clip.duration;
    if (rest >= grid.least || Math.abs(rest) < grid.frame / 2) {
      slots.push(slot);
      left = rest;
      continue;
    }
    const cut = cutTo(slot, left, grid, slate);
    return { slots: cut === undefined ? slots : [...slots, cut], isCut: true };
  }
  return { slots, isCut: false };
}

/** A slot as the last one before a limit: exactly as long, or so much shorter that slate can follow. */
function cutTo(slot: SlotPlan, left: number, grid: Grid, { id, clip }: Slate): SlotPlan | undefined {
  if (slot.break !== undefined || slot.slate !== undefined) {
    const frames = grid.framesIn(left);
    if (left < Math.max(grid.least, slot.break === undefined ? 0 : LEAST_BREAK)) return undefined;
    const of = slot.break ?? slot.slate;
    const own = { ...of, frames, slateId: of?.slateId ?? id };
    return { ...slot, clip: clip(frames), ...(slot.break === undefined ? { slate: own } : { break: own }) };
  }
  const { clip: whole } = slot;
  const fits = (at: number): boolean => {
    const rest = left - (at - whole.from);
    return rest >= grid.least || Math.abs(rest) < grid.frame / 2;
  };
  const renditions = whole.cells.map(({ rendition }) => rendition);
  const points = partOf(whole).cutPoints;
  for (let index = points.length - 1; index >= 0; index -= 1) {
    const at = points[index] ?? 0;
    if (at >= whole.from + whole.duration || at - whole.from < grid.least || !fits(at)) continue;
    const cut = cutClip(whole, renditions, flicks(at));
    if (cut !== undefined) return { ...slot, clip: cut };
  }
  return undefined;
}

/** What is left of slots that began some time ago: content from its last cut point on. */
export function joined(list: readonly SlotPlan[], late: number, grid: Grid, { clip }: Slate): SlotPlan[] {
  let skipped = late;
  for (const [index, slot] of list.entries()) {
    const { duration } = slot.clip;
    if (skipped >= duration) {
      skipped -= duration;
      continue;
    }
    const after = list.slice(index + 1);
    if (slot.break !== undefined) {
      const frames = grid.framesIn(duration - skipped);
      const own = { ...slot.break, frames };
      return frames * grid.frame < LEAST_BREAK ? after : [{ ...slot, clip: clip(frames), break: own }, ...after];
    }
    const cut = [...partOf(slot.clip).cutPoints].findLast((at) => at <= slot.clip.from + skipped);
    const [rest = slot] = cut === undefined ? [] : restOf([slot], flicks(slot.at + cut - slot.clip.from), 0);
    return [rest, ...after];
  }
  return [];
}
