// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import type { BreakList } from '../breaks/breakList.ts';
import type { Slot } from '../slot.ts';
import type { Section } from './section.ts';
import { sectionAt } from './sectionAt.ts';

const zero: Instant = { millis: millis(Date.parse('2026-03-01T00:00:00Z')), rest: flicks(0) };
const at = (seconds: number): Instant => after(zero, secondsToFlicks(seconds));
/** Slots of 2 s. */
const slot = (number: number): Slot => ({
  number,
  start: at(2 * number),
  duration: secondsToFlicks(2),
  isNewStretch: false,
  segments: [],
});
const fact = (seconds: number, more: Partial<BreakFact> = {}): BreakFact => ({
  ...{
    id: '7',
    startsAt: at(seconds),
    announcedAt: zero.millis,
    source: 'EXT-X-CUE-OUT',
    raw: '',
    line: 1,
    start: 'marked',
  },
  ...more,
});
const rules = { fill: 'slate', maxBreak: secondsToFlicks(60) } as const;

/** The sections of consecutive slots, each as `id planned`, where one starts; `-` where content returns. */
function play(facts: readonly BreakFact[], slots: number): string[] {
  const sections: Section[] = [];
  let open: Section | undefined;
  return Array.from({ length: slots }, (_, number) => {
    const breaks = { breaks: facts, warnings: [], memory: undefined as never };
    const wanted = sectionAt({ sections, breaks, rules, borders: [] }, open, slot(number));
    const before = open?.id;
    if (wanted === undefined) open = undefined;
    else if (wanted.id !== open?.id) {
      open = { ...wanted, head: { numbers: [], discontinuity: 0 }, junctions: [], isClosed: false };
      sections.push(open);
    }
    if (open?.id === before) return '';
    return open === undefined ? '-' : `${open.id} ${open.planned / secondsToFlicks(1)}`;
  });
}

test('a break starts at the nearest border and ends at its announced length', () => {
  expect(play([fact(4.9, { duration: secondsToFlicks(4) })], 6)).toEqual(['', '', '7-0 4', '', '-', '']);
  expect(play([fact(4, { duration: secondsToFlicks(4) })], 6)).toEqual(['', '', '7-0 4', '', '-', '']);
});

test('an explicit end beats the announced length, earlier and later', () => {
  const duration = secondsToFlicks(6);
  expect(play([fact(2, { duration, endsAt: at(4) })], 5)).toEqual(['', '7-0 2', '-', '', '']);
  expect(play([fact(2, { duration: secondsToFlicks(2), endsAt: at(8) })], 6)).toEqual(['', '7-0 6', '', '', '-', '']);
});

test('a break of unknown length lasts as long as the channel allows', () => {
  const listed = play([fact(2)], 40);
  expect(listed[1]).toBe('7-0 60');
  expect(listed.indexOf('-')).toBe(31);
});

test('a continuation after the announced end starts a further section of the same break', () => {
  const one = fact(2, { duration: secondsToFlicks(4), continuesUntil: at(8) });
  expect(play([one], 8)).toEqual(['', '7-0 4', '', '7-1 4', '', '-', '', '']);
});

test('a break that is known late starts at once, with what is left of it', () => {
  expect(play([fact(-6, { duration: secondsToFlicks(10), start: 'continued' })], 4)).toEqual(['7-0 4', '', '-', '']);
});

test('insertion points, ends without a start, and breaks shorter than half a segment replace nothing', () => {
  const none = (more: Partial<BreakFact>) => play([fact(2, more)], 4).filter(Boolean);
  expect(none({ isInsertionPoint: true, duration: flicks(0) })).toEqual([]);
  expect(none({ start: 'unknown', endsAt: at(6) })).toEqual([]);
  expect(none({ duration: secondsToFlicks(0.4) })).toEqual([]);
});

test('a break that follows another at once is a section of its own', () => {
  const first = fact(2, { duration: secondsToFlicks(4) });
  const second = fact(6, { id: '9', duration: secondsToFlicks(2) });
  expect(play([first, second], 6)).toEqual(['', '7-0 4', '', '9-0 2', '-', '']);
});

test('while the origin is away, slate is on air that is no break; an announced break starts in its place', () => {
  const away = (number: number): Slot => ({ ...slot(number), isAway: true });
  const context = { sections: [], breaks: undefined, rules, borders: [] };
  const started = sectionAt(context, undefined, away(5))!;
  expect(started).toMatchObject({ id: 'a5-0', kind: 'away', fill: 'slate', slot: 5 });
  const open: Section = { ...started, head: { numbers: [0], discontinuity: 0 }, junctions: [], isClosed: false };
  expect(sectionAt(context, open, away(6))).toBe(open);
  expect(sectionAt(context, open, away(65))).toMatchObject({ id: 'a5-1', kind: 'away' });
  expect(sectionAt(context, open, slot(7))).toBeUndefined();
  const announced = { breaks: [fact(14, { duration: secondsToFlicks(10) })] } as unknown as BreakList;
  expect(sectionAt({ ...context, breaks: announced }, open, away(7))).toMatchObject({ id: '7-0', fill: 'slate' });
  const content = { ...rules, fill: 'content' } as const;
  expect(sectionAt({ ...context, breaks: announced, rules: content }, open, away(7))).toBe(open);
});

test('a break with slate does not end less than half a second after a border at which its segments were listed', () => {
  const start = {
    id: '7-0',
    breakId: '7',
    start: at(0),
    slot: 0,
    planned: secondsToFlicks(20),
    fill: 'slate',
  } as const;
  const head = { numbers: [0], discontinuity: 0 };
  const open: Section = { ...start, isAnnounced: true, head, junctions: [], isClosed: false };
  const breaks = { breaks: [fact(0, { duration: secondsToFlicks(20), endsAt: at(10.3) })] } as unknown as BreakList;
  const next = { ...slot(6), start: at(10.3) };
  const context = { sections: [open], breaks, rules, borders: [at(10.3), at(10)] };
  expect(sectionAt(context, open, next)).toBe(open);
  expect(sectionAt({ ...context, borders: [at(10.3), at(9.8)] }, open, next)).toBeUndefined();
  expect(sectionAt(context, { ...open, isAnnounced: undefined } as unknown as Section, next)).toBeUndefined();
  // Announced to end there: nothing was listed at the border before.
  expect(sectionAt(context, { ...open, planned: secondsToFlicks(10.3) }, next)).toBeUndefined();
});
