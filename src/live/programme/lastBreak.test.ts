// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import { lastBreak } from './liveProgramme.ts';
import type { Section } from './section.ts';

const start: Instant = { millis: millis(1_772_366_400_000), rest: flicks(0) };
const at = (seconds: number): Instant => after(start, secondsToFlicks(seconds));
const head = { numbers: [0], discontinuity: 0 };

function section(breakId: string, number: number, from: number, length: number, more: Partial<Section> = {}): Section {
  const end = { at: secondsToFlicks(length), ...head };
  return {
    id: `${breakId}-${number}`,
    breakId,
    start: at(from),
    slot: from,
    planned: secondsToFlicks(length),
    fill: 'slate',
    head,
    junctions: [end],
    isClosed: true,
    ...more,
  };
}
const last = (...sections: Section[]) =>
  lastBreak({ sections, breaks: undefined }, (instant) => millis(instant + 1000));

test('is the newest break, in all of its sections', () => {
  expect(last()).toBeUndefined();
  expect(last(section('5', 0, 0, 30), section('7', 0, 60, 20), section('7', 1, 80, 10))).toEqual({
    id: '7',
    seconds: 30,
    endedAt: start.millis + 91_000,
  });
});

test('has no end while it is on air', () => {
  const open = section('7', 0, 60, 20, { isClosed: false, junctions: [] });
  expect(last(open)).toEqual({ id: '7', seconds: 20 });
});

test('is not slate while the origin is away', () => {
  const away = section('a90', 0, 90, 120, { kind: 'away', isClosed: false, junctions: [] });
  expect(last(away)).toBeUndefined();
  expect(last(section('7', 0, 60, 20), away)).toMatchObject({ id: '7', endedAt: start.millis + 81_000 });
});

test('keeps its announced length if it ended early', () => {
  const fact = { id: '7', duration: secondsToFlicks(24) } as BreakFact;
  const breaks = { breaks: [fact], warnings: [], memory: undefined as never };
  const early = { sections: [section('7', 0, 60, 12, { planned: secondsToFlicks(24) })], breaks };
  expect(lastBreak(early, (instant) => instant)).toEqual({ id: '7', seconds: 24, endedAt: start.millis + 72_000 });
});
