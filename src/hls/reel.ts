// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown in a break, as the text of one rung: written once, whole, and cut for each playlist. Few viewers share
// it, so a playlist must not touch more of it than the text and two numbers.

import { flat } from '../cache/flat.ts';
import { ownMemo } from '../cache/ownMemo.ts';
import type { Millis } from '../time/units.ts';
import { countWhile } from '../timeline/programme/countWhile.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { Strip } from '../timeline/programme/strip.ts';
import { endAt, everyRung } from '../timeline/programme/window.ts';
import { announceSpan } from './announce.ts';
import { DISCONTINUITY, writePiece } from './cellText.ts';
import type { Cut } from './cut.ts';
import { headLines, headOf } from './segmentLines.ts';

/** A span of the reel. */
type Scene = {
  /** Its first segment, and where the lines of that begin. */
  readonly first: number;
  readonly begin: number;
  /** The live edge from which on it is listed, and the window's start until which it is. */
  readonly from: number;
  readonly until: number;
  /** What precedes its segments at the top of a playlist. */
  readonly top: string;
  readonly number: number;
  readonly discontinuity: number;
  readonly startsAt: Millis;
};

type Reel = {
  readonly text: string;
  /** Where the lines of each segment end. */
  readonly ends: readonly number[];
  /** When each segment ends. */
  readonly times: readonly number[];
  readonly scenes: readonly [Scene, ...Scene[]];
  readonly next: string;
  readonly nextAfterKeys: string;
  readonly isEncryptedAtEnd: boolean;
};

function makeReel({ spans }: Strip, rung: number, announces: boolean): Reel {
  const [ends, times]: [number[], number[]] = [[], []];
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
      ...{ first: ends.length, begin: text.length, ...everyRung(span) },
      top: flat(headLines(head, false) + (announces ? announceSpan(span, undefined) : '')),
      ...{ number: numbers[rung]!, discontinuity, startsAt: placed.startsAt },
    });
    const piece = writePiece(placed, cell, cell.first, cell.end);
    piece.ends.forEach((end, index) => {
      ends.push(text.length + end);
      times.push(endAt(placed, rung, index));
    });
    text += piece.text;
    isEncrypted = head.isEncrypted;
    before = span;
  }
  const [first, ...others] = scenes;
  return {
    text: flat(text),
    ends,
    times,
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

/** The scene of a segment. */
function sceneOf(scenes: readonly Scene[], segment: number): number {
  let place = scenes.length - 1;
  while (scenes[place]!.first > segment) place -= 1;
  return place;
}

/** @returns undefined if no segment of the strip is listed */
export function cutReel(strip: Strip, rung: number, announces: boolean, from: Millis, to: Millis): Cut | undefined {
  const { text, ends, times, scenes, next, nextAfterKeys, isEncryptedAtEnd } = reelOf(strip, rung, announces);
  let first = countWhile(times.length, (index) => times[index]! <= from);
  let end = countWhile(times.length, (index) => times[index]! <= to);
  if (end <= first) return undefined;
  const last = scenes[sceneOf(scenes, end - 1)]!;
  if (to < last.from) end = last.first;
  let place = sceneOf(scenes, first);
  if (from >= scenes[place]!.until) {
    place += 1;
    first = scenes[place]?.first ?? ends.length;
  }
  if (end <= first) return undefined;
  const { first: begin, top, number, discontinuity, startsAt } = scenes[place]!;
  const start = first === begin ? scenes[place]!.begin : ends[first - 1]!;
  return {
    text: text.slice(start, ends[end - 1]!),
    ...{ top, next, nextAfterKeys, number: number + first - begin, discontinuity, startsAt, isEncryptedAtEnd },
  };
}
