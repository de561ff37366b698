// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown in a break, as the text of one rung: written once, whole, and cut for each playlist. Few viewers share
// it, so a playlist must not touch more of it than the text and two numbers.

import { flat } from '../cache/flat.ts';
import { ownMemo } from '../cache/ownMemo.ts';
import type { Millis } from '../time/units.ts';
import { countUpTo } from '../timeline/programme/countUpTo.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { Strip } from '../timeline/programme/strip.ts';
import { endAt, everyRung } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { DISCONTINUITY, writePiece } from './cellText.ts';
import type { Cut } from './cut.ts';
import { headLines, headOf } from './segmentLines.ts';

/** A span of the reel: its first segment, and what precedes that at the top of a playlist. */
type Scene = {
  readonly first: number;
  readonly top: string;
  readonly number: number;
  readonly discontinuity: number;
  readonly startsAt: Millis;
};

type Reel = {
  readonly text: string;
  /** Where the lines of each segment begin and end. */
  readonly begins: readonly number[];
  readonly ends: readonly number[];
  /** The live edge from which on each segment is listed, and the window's start from which on it is not. */
  readonly shownFrom: readonly number[];
  readonly goneFrom: readonly number[];
  readonly scenes: readonly [Scene, ...Scene[]];
  readonly next: string;
  readonly nextAfterKeys: string;
  readonly isEncryptedAtEnd: boolean;
};

function makeReel({ spans }: Strip, rung: number, announces: boolean): Reel {
  const lists = { begins: [] as number[], ends: [] as number[], shownFrom: [] as number[], goneFrom: [] as number[] };
  const scenes: Scene[] = [];
  let [text, next, nextAfterKeys, isEncrypted] = ['', '', '', false];
  let before: Span | undefined;
  for (const span of spans) {
    const { placed, numbers, discontinuity } = span;
    const cell = placed.clip.cells[rung]!;
    const head = headOf(cell.track);
    const announced = announces ? announceSpan(span, before) : '';
    const after = (wasEncrypted: boolean) => DISCONTINUITY + headLines(head, wasEncrypted) + announced;
    if (before === undefined) [next, nextAfterKeys] = [after(false), after(true)];
    else text += after(isEncrypted);
    scenes.push({
      first: lists.begins.length,
      top: flat(headLines(head, false) + (announces ? announceSpan(span, undefined) : '')),
      ...{ number: numbers[rung]!, discontinuity, startsAt: placed.startsAt },
    });
    const every = everyRung(span);
    const piece = writePiece(placed, cell, cell.first, cell.end);
    piece.ends.forEach((end, index) => {
      const ended = endAt(placed, rung, index);
      lists.begins.push(text.length + (index === 0 ? 0 : piece.ends[index - 1]!));
      lists.ends.push(text.length + end);
      lists.shownFrom.push(Math.max(ended, every.from));
      lists.goneFrom.push(Math.min(ended, every.until));
    });
    text += piece.text;
    isEncrypted = head.isEncrypted;
    before = span;
  }
  const [first, ...others] = scenes;
  return {
    text: flat(text),
    ...lists,
    scenes: [first!, ...others],
    next,
    nextAfterKeys,
    isEncryptedAtEnd: isEncrypted,
  };
}

/** By rung, without and with announcements. */
const reelsOf = ownMemo((_: Strip): (Reel | undefined)[] => []);

function reelOf(strip: Strip, rung: number, announces: boolean): Reel {
  const reels = reelsOf(strip);
  const key = 2 * rung + (announces ? 1 : 0);
  reels[key] ??= makeReel(strip, rung, announces);
  return reels[key];
}

/** @returns undefined if no segment of the strip is listed */
export function cutReel(strip: Strip, rung: number, announces: boolean, from: Millis, to: Millis): Cut | undefined {
  const reel = reelOf(strip, rung, announces);
  const { scenes, next, nextAfterKeys, isEncryptedAtEnd } = reel;
  const first = countUpTo(reel.goneFrom, from);
  const end = countUpTo(reel.shownFrom, to);
  if (end <= first) return undefined;
  let place = scenes.length - 1;
  while (scenes[place]!.first > first) place -= 1;
  const { top, number, discontinuity, startsAt, first: begin } = scenes[place]!;
  return {
    text: reel.text.slice(reel.begins[first]!, reel.ends[end - 1]!),
    ...{ top, next, nextAfterKeys, number: number + first - begin, discontinuity, startsAt, isEncryptedAtEnd },
  };
}
