// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type Flicks, flicks, flicksToSeconds, millis, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import type { BreakFact } from './breakFact.ts';
import { addSignals, type BreakList } from './breakList.ts';

const START: Instant = { millis: millis(Date.UTC(2026, 0, 1)), rest: flicks(7) };
const at = (seconds: number): Instant => after(START, secondsToFlicks(seconds));
const since = (instant: Instant | undefined): string =>
  instant === undefined
    ? ''
    : `${flicksToSeconds(((instant.millis - START.millis) * 705_600 + instant.rest - START.rest) as Flicks)}`;

type Stated = Partial<Omit<PlacedSignal, 'at'>>;
const signal = (kind: PlacedSignal['kind'], seconds: number, stated: Stated = {}): PlacedSignal => ({
  kind,
  at: at(seconds),
  source: 'tag',
  line: 1,
  raw: `${kind} ${seconds}`,
  ...stated,
});
const lasting = (seconds: number, stated: Stated = {}): Stated => ({ duration: secondsToFlicks(seconds), ...stated });

/** Each reading ends 6 s after the one before it. */
function read(...batches: readonly (readonly PlacedSignal[])[]): BreakList {
  let list: BreakList | undefined;
  for (const [index, batch] of batches.entries()) {
    const context = { start: START, edge: at(6 * (index + 1)), entry: index };
    list = addSignals(list, batch, millis(START.millis + 6000 * (index + 1)), context);
  }
  return list!;
}
const text = ({ startsAt, endsAt, duration, isInsertionPoint }: BreakFact): string =>
  `${since(startsAt)}–${since(endsAt)}/${duration === undefined ? '' : flicksToSeconds(duration)}${isInsertionPoint ? '!' : ''}`;
const breaksOf = (...batches: readonly (readonly PlacedSignal[])[]) => read(...batches).breaks.map(text);

describe('addSignals', () => {
  test('keeps the id of a break while it is announced, moved, extended and ended', () => {
    const announced = signal('out', 30, lasting(20, { id: 'x 1', hint: 'a' }));
    const moved = signal('out', 36, lasting(20, { id: 'x 1', hint: 'b' }));
    const steps = [
      [announced],
      [moved],
      [signal('out', 36, lasting(40, { id: 'x 1', hint: 'b' }))],
      ...Array(5).fill([]),
      [signal('in', 54, { id: 'x 1' })],
    ];
    const seen = steps.map((_, index) =>
      read(...steps.slice(0, index + 1)).breaks.map((fact) => [fact.id, text(fact)]),
    );
    expect(seen[0]).toEqual([['0', '30–/20']]);
    expect(seen[1]).toEqual([['0', '36–/20']]);
    expect(seen[2]).toEqual([['0', '36–/40']]);
    expect(seen.at(-1)).toEqual([['0', '36–54/40']]);
    expect(read(...steps).breaks[0]).toMatchObject({ announcedAt: START.millis + 6000, sourceId: '1' });
  });

  test('ends a break before the next one that was announced for that instant', () => {
    const start = signal('out', 2, lasting(4, { id: 'x a' }));
    const next = signal('out', 12, lasting(6, { id: 'x b' }));
    const end = signal('in', 12, { id: 'x a' });
    // It is announced before the end of what is listed, for it, and after it.
    for (const batches of [
      [[start, next], [], [end]],
      [[start], [next], [end]],
      [[start], [], [end, next]],
    ])
      expect(breaksOf(...batches)).toEqual(['2–12/4', '12–/6']);
    const point = signal('in', 12, { id: 'x b' });
    expect(breaksOf([next], [], [point])).toEqual(['12–12/6!']);
  });

  test('reports what of markers cannot be read, with the line and the time of the reading', () => {
    const unread = signal('unread', 9, { line: 4, warnings: ['no message'] });
    const start = signal('out', 12, { line: 8, warnings: ['no length'] });
    const { breaks, warnings } = read([unread], [start], [], [signal('in', 20)]);
    expect(breaks.map(text)).toEqual(['12–20/']);
    expect(warnings).toEqual([
      { line: 4, text: 'no message', at: START.millis + 6000 },
      { line: 8, text: 'no length', at: START.millis + 12_000 },
    ]);
  });

  test('adds signals in any order of their times', () => {
    const [first, second, end] = [signal('out', 6, lasting(12)), signal('out', 40, lasting(10)), signal('in', 20)];
    expect(breaksOf([second], [first], [], [end])).toEqual(['6–20/12', '40–/10']);
    expect(read([second], [first], [], [end]).breaks.map(({ id }) => id)).toEqual(['100000', '0']);
  });

  test('removes a break that is cancelled before it starts, and keeps one that is on air', () => {
    const out = signal('out', 20, lasting(30, { id: 'splice 5' }));
    expect(breaksOf([out], [signal('cancel', 6, { id: 'splice 5' })])).toEqual([]);
    expect(breaksOf([out], [signal('cancel', 6, { id: 'splice 6' })])).toEqual(['20–/30']);
    const typed = { ...out, id: 'segmentation 5/52' };
    expect(breaksOf([typed], [signal('cancel', 6, { id: 'segmentation 5' })])).toEqual([]);
    expect(breaksOf([out], [], [], [], [signal('cancel', 24, { id: 'splice 5' })])).toEqual(['20–/30']);
    expect(breaksOf([out], [signal('cancel', 6, { id: 'splice 5' })], [{ ...out, at: at(25) }])).toEqual(['25–/30']);
  });

  test('an explicit end beats the announced length, and is expected late while the break is continued', () => {
    expect(breaksOf([signal('out', 0, lasting(30))], [], [signal('in', 12)])).toEqual(['0–12/30']);
    expect(breaksOf([signal('out', 0, lasting(30))], [signal('in', 40)])).toEqual(['0–40/30']);
    const continued = Array.from({ length: 60 }, (_, index) => [signal('continue', 6 * index + 6)]);
    expect(breaksOf([signal('out', 0, lasting(30))], ...continued, [signal('in', 366)])).toEqual(['0–366/30']);
    const late = read([signal('out', 0, lasting(30))], [signal('in', 366)]);
    expect(late.breaks.map(text)).toEqual(['0–/30']);
    expect(late.warnings).toMatchObject([{ line: 1, at: START.millis + 12_000 }]);
  });

  test('an end for the next border counts unless a continuation there states that the break goes on', () => {
    const on = (seconds: number) => signal('continue', seconds, lasting(30, { elapsed: secondsToFlicks(seconds) }));
    const readings = [[signal('out', 0, lasting(30))], [on(6), signal('in', 12, { isEarly: true })]];
    expect(breaksOf(...readings)).toEqual(['0–12/30']);
    expect(breaksOf(...readings, [], [signal('in', 12)])).toEqual(['0–12/30']);
    expect(breaksOf(...readings, [on(12)])).toEqual(['0–/30']);
    expect(breaksOf(...readings, [on(12)], [signal('in', 18)])).toEqual(['0–18/30']);
    expect(read(...readings, [on(12)], [signal('in', 18)]).warnings).toEqual([]);
  });

  test('states how long a break went on', () => {
    const start = signal('out', 0, lasting(12));
    const more = (length: number) =>
      [6, 12, 18].map((seconds) => [
        signal('continue', seconds, lasting(length, { elapsed: secondsToFlicks(seconds) })),
      ]);
    expect(read([start], ...more(24)).breaks).toMatchObject([{ continuesUntil: at(18) }]);
    const beyond = read([start], ...more(12));
    expect(beyond).toMatchObject({ breaks: [{ continuesUntil: at(6) }], warnings: [{ text: naming('18 s', '12 s') }] });
    expect(breaksOf([start], ...more(12), [signal('in', 24)])).toEqual(['0–24/12']);
    expect(read([start]).breaks[0]).not.toHaveProperty('continuesUntil');
    const repeated = [6, 12].map((seconds) => [signal('out', seconds, { raw: 'out 0' })]);
    expect(read([signal('out', 0)], ...repeated).breaks).toMatchObject([{ continuesUntil: at(12) }]);
    expect(breaksOf([signal('out', 0)], ...repeated, [signal('in', 18)])).toEqual(['0–18/']);
    const same = [6, 12].map((seconds) => [signal('out', seconds, lasting(30, { raw: 'out 0' }))]);
    expect(breaksOf([signal('out', 0, lasting(30))], ...same)).toEqual(['0–/30']);
  });

  test('nested breaks are one', () => {
    const outer = signal('out', 0, lasting(60, { id: 'a' }));
    const inner = [signal('out', 6, lasting(12, { id: 'b' }))];
    expect(breaksOf([outer], inner, [signal('in', 18, { id: 'b' })], [signal('in', 60, { id: 'a' })])).toEqual([
      '0–60/60',
    ]);
  });

  test('the timeline may begin within a break', () => {
    const inside = signal('continue', 0, lasting(30, { elapsed: secondsToFlicks(8) }));
    expect(read([inside]).breaks).toMatchObject([{ startsAt: START, start: 'continued' }]);
    expect(breaksOf([inside])).toEqual(['0–/22']);
    expect(breaksOf([inside], [signal('in', 10)])).toEqual(['0–10/22']);
    expect(breaksOf([], [signal('continue', 12, lasting(30, { elapsed: secondsToFlicks(8) }))])).toEqual(['4–/30']);
    const end = read([], [signal('in', 6)]);
    expect(end.breaks).toEqual([]);
    expect(end.warnings).toHaveLength(1);
  });

  test('the end of a break comes before the start that was announced for the same instant', () => {
    const [first, next] = [signal('out', 0, lasting(30)), signal('out', 18, lasting(30, { id: 'b' }))];
    expect(breaksOf([first], [next], [], [signal('in', 18)])).toEqual(['0–18/30', '18–/30']);
    expect(breaksOf([signal('out', 0, lasting(0)), signal('in', 0)])).toEqual(['0–0/!']);
    expect(breaksOf([signal('out', 0, lasting(0))])).toEqual(['0–/!']);
    expect(breaksOf([signal('out', 0, lasting(0)), signal('continue', 6)])).toEqual(['0–/']);
  });

  test('uses the newest attributes of a repeated signal', () => {
    const stated = (seconds: number) => signal('out', 0, lasting(seconds, { id: 'a', hint: 'x' }));
    expect(breaksOf([stated(30)], [stated(24)])).toEqual(['0–/24']);
    expect(breaksOf([stated(30)], [signal('out', 0, lasting(24, { id: 'a', isComplete: true }))])).toEqual(['0–24/24']);
  });

  test('a break that goes on for days is one break, and what is kept stays small', () => {
    let list = addSignals(undefined, [signal('out', 0)], START.millis, { start: START, edge: at(6) });
    for (let hour = 1; hour <= 24 * 200; hour += 1) {
      const now = millis(START.millis + hour * 3_600_000);
      const instant: Instant = { millis: now, rest: flicks(0) };
      list = addSignals(list, [{ ...signal('continue', 0), at: instant }], now, { edge: instant });
    }
    expect(list.breaks).toMatchObject([{ id: '0', continuesUntil: { millis: list.memory.edge.millis } }]);
    expect(list.memory.heard.length).toBeLessThan(3);
    const end: Instant = { millis: millis(list.memory.edge.millis + 6000), rest: flicks(0) };
    expect(addSignals(list, [{ ...signal('in', 0), at: end }], end.millis).breaks).toMatchObject([
      { id: '0', endsAt: end },
    ]);
  });

  test('forgets breaks of the day before, except the newest ones', () => {
    let list: BreakList | undefined;
    for (let index = 0; index < 3000; index += 1) {
      const now = millis(START.millis + index * 600_000);
      const instant: Instant = { millis: now, rest: flicks(0) };
      list = addSignals(list, [{ ...signal('out', 0, lasting(30)), at: instant }], now, {
        start: START,
        edge: instant,
      });
    }
    expect(list!.breaks.length).toBeGreaterThanOrEqual(1000);
    expect(list!.breaks.length).toBeLessThan(1010);
    expect(list!.breaks.at(-1)).toMatchObject({ id: '2999' });
    expect(list!.memory.heard.length).toBeLessThan(6);
  });

  test('collects a window of half a day with a marker on each segment', () => {
    const all = Array.from({ length: 20_000 }, (_, index) =>
      signal(index % 10 < 5 ? 'continue' : 'out', index * 2, lasting(2, { id: `x ${index % 7}`, raw: 'same' })),
    );
    const announced = Array.from({ length: 5000 }, (_, index) =>
      signal('out', 50_000 + index * 30, lasting(10, { id: `y ${index}` })),
    );
    const edge = at(40_000);
    const first = addSignals(undefined, [...all, ...announced], edge.millis, { start: START, edge });
    const moved = announced.map((each) => ({ ...each, at: after(each.at, secondsToFlicks(1)) }));
    const { breaks } = addSignals(first, moved, millis(edge.millis + 6000), { edge: at(40_006) });
    expect(breaks.slice(-5000).map(({ startsAt }) => startsAt)).toEqual(moved.map((each) => each.at));
  });

  test('reads on after the clock of the origin has jumped', () => {
    const first = addSignals(undefined, [signal('out', 0, lasting(10))], START.millis, { start: START });
    const past: Instant = { millis: millis(5), rest: flicks(0) };
    const next = addSignals(first, [{ ...signal('out', 0, lasting(20)), at: past }], millis(START.millis + 60_000), {
      edge: past,
    });
    expect(next.breaks.map(({ startsAt }) => startsAt.millis)).toContain(5);
  });
});
