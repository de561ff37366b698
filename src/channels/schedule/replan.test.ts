// SPDX-License-Identifier: Apache-2.0
// What operators insert into a schedule: it interrupts the programme at a cut point, and nothing of the programme is lost.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { type Order, operated } from '../../../test/laws/insertedBreaks.ts';
import { type SyntheticChannel, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { FLICKS_PER_SECOND, millis } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const LEAD = 3000;
const item = (name: string, seconds: number, ...cues: [number, number][]) => ({
  asset: syntheticAsset({ name, segments: new Array(seconds / 2).fill(50) }),
  cuePoints: cues.map(([spliceTime, maxDuration]) => ({ spliceTime, maxDuration })),
});
const list = () => [item('a', 40, [0, 5], [20, 8], [20, 6]), item('b', 12), item('c', 30, [10, 5], [-1, 7])];

const spansOf = ({ programme }: SyntheticChannel, from: number, to: number): Span[] =>
  programme.spansBetween(millis(START + from * 1000), millis(START + to * 1000));

/** Name, and start and end in seconds. */
const described = (span: Span): string => {
  const { clip } = span.placed;
  const [from, to] = [clip.from, clip.from + clip.duration].map((at) => at / FLICKS_PER_SECOND);
  const what = span.insertedId ?? (span.break ? 'break' : clip.asset.url.split('/').at(-2));
  return clip.kind === 'content' ? `${what} ${from} to ${to}` : `${what} of ${to! - from!}`;
};

/** The programme without what was inserted; content that was interrupted is joined. */
function programmeOf(spans: readonly Span[]): string[] {
  const joined: { name: string; from: number; to: number }[] = [];
  for (const { insertedId, break: own, placed } of spans) {
    const { asset, from, duration, kind } = placed.clip;
    if (insertedId !== undefined) continue;
    const last = joined.at(-1);
    if (kind === 'content' && last?.name === asset.url && last.to === from) last.to = from + duration;
    else joined.push({ name: own ? 'break' : asset.url, from, to: from + duration });
  }
  return joined.map(({ name, from, to }) => `${name} ${from}-${to}`);
}

const ads = (id: string, at: number, duration: number): Order => ({
  id,
  kind: 'ads',
  startsAt: START + at * 1000,
  duration,
});
const at = (second: number) => START + second * 1000;

test('a break interrupts content at its first cut point from its start on, and the content continues', () => {
  const channel = operated(syntheticChannel(list(), START), [ads('x', 10, 30)], at(5));
  expect(spansOf(channel, 0, 60).map(described)).toEqual([
    ...['break of 5', 'a 0 to 6', 'x of 30', 'a 6 to 20', 'break of 8'],
  ]);
});

test('a break that is ended early is cut at a segment border, and keeps its announced length', () => {
  const on = operated(syntheticChannel(list(), START), [ads('x', 10, 30)], at(5));
  const channel = operated(on, [{ ...ads('x', 10, 30), isOver: true }], at(17.3)); // and a target duration of 2 s
  expect(spansOf(channel, 6, 40).map(described)).toEqual([...['a 0 to 6', 'x of 10', 'a 6 to 20', 'break of 8']]);
  const { break: own } = spansOf(channel, 12, 13)[0]!;
  expect(own).toMatchObject({ frames: 750, live: { isClosed: true, junctions: [{ at: 10 * FLICKS_PER_SECOND }] } });
  expect(own!.place!.duration).toBe(30 * FLICKS_PER_SECOND);
});

test('a blackout lasts until it is ended, however long that is, and the content continues', () => {
  const blackout: Order = { id: 'dark', kind: 'blackout', startsAt: at(30) }; // during the first of two breaks
  const on = operated(syntheticChannel(list(), START), [blackout], at(5));
  expect(on.records).toHaveLength(4);
  const [day, before] = [86_400, new Set(spansOf(on, 0, 86_400).map(({ insertedId }) => insertedId))];
  expect(before).toEqual(new Set([undefined, 'dark']));
  expect(spansOf(on, 200, 3 * day).every(({ insertedId, break: own }) => insertedId === 'dark' && !own)).toBe(true);
  const off = operated(on, [{ ...blackout, isOver: true }], at(10 * day + 0.4));
  const [dark, ...rest] = spansOf(off, 10 * day - 1, 10 * day + 20).map(described);
  expect([dark, rest]).toEqual([expect.stringMatching(/^dark of /), ['break of 6', 'a 20 to 40']]);
});

test('a blackout continues with its asset once that is ready, for as long as it would have lasted', () => {
  for (const duration of [30, 200]) {
    const blackout: Order = { id: 'dark', kind: 'blackout', startsAt: at(10), duration };
    const orders = [blackout, ads('x', 12, 10)];
    const ready = [{ ...blackout, asset: 'card' }, orders[1]!];
    const before = operated(syntheticChannel(list(), START), orders, at(5));
    const remade = operated(before, ready, at(17.3));
    const shown = spansOf(remade, 7, 250).filter(({ insertedId }) => insertedId === 'dark');
    const mediaOf = ({ placed }: Span) => placed.clip.asset.id.split('-')[0];
    const media = shown.map(mediaOf);
    expect(new Set(media).size).toBe(2);
    expect(media.at(-1)).not.toBe(media[0]);
    expect(shown[1]!.placed.startsAt - at(17.3)).toBeLessThanOrEqual(1000);
    expect(shown.reduce((sum, { placed }) => sum + placed.clip.duration, 0)).toBe(duration * FLICKS_PER_SECOND);
    const rest = (channel: SyntheticChannel) => spansOf(channel, 12 + duration, 350).map(described);
    // What is further ahead than 75 s is not on the schedule yet.
    expect(rest(remade).slice(0, 2)).toEqual(duration === 30 ? ['x of 10', 'a 6 to 20'] : ['a 6 to 20', 'break of 8']);
    expect(rest(remade)).toEqual(rest(operated(before, orders, at(17.3))));
    expect(operated(remade, ready, at(19)), 'it is done once').toBe(remade);
    expect(operated(remade, orders, at(19)), 'a node on which it is not ready leaves it').toBe(remade);
    const early = operated(before, ready, at(4));
    const [first] = spansOf(early, 12, 13);
    expect(mediaOf(first!), 'one that has not started has nothing else').toBe(media.at(-1));
    const off = operated(remade, [{ ...blackout, isOver: true }, orders[1]!], at(24.2));
    expect(spansOf(off, 26, 45).map(described).slice(0, 2)).toEqual(['x of 10', 'a 6 to 20']);
  }
});

test('a break that was cancelled before it starts is removed, and others stay', () => {
  const orders = [ads('x', 10, 10), ads('y', 15, 5)];
  const both = operated(syntheticChannel(list(), START), orders, at(2));
  expect(spansOf(both, 5, 40).map(described)).toEqual(['a 0 to 6', 'x of 10', 'y of 5', 'a 6 to 20']);
  const one = operated(both, [{ ...orders[0]!, isOver: true }, orders[1]!], at(4));
  expect(spansOf(one, 5, 40).map(described)).toEqual([
    'a 0 to 6',
    'a 6 to 10',
    'y of 5',
    'a 10 to 20',
    'break of 8',
    'break of 6',
  ]);
  const none = operated(
    both,
    [
      { ...orders[0]!, isOver: true },
      { ...orders[1]!, isOver: true },
    ],
    at(4),
  );
  expect(spansOf(none, 5, 30).map(described)).toEqual(['a 0 to 6', 'a 6 to 20', 'break of 8']);
});

test('an edit of the list keeps what is on air and what is still to come', () => {
  const orders = [ads('x', 10, 20), ads('y', 40, 5)];
  const on = operated(syntheticChannel(list(), START), orders, at(5));
  const edited = operated(on, orders, at(14), [item('a', 40), item('d', 10)]);
  expect(spansOf(edited, 5, 85).map(described)).toEqual([
    'a 0 to 6',
    'x of 20',
    'a 6 to 16',
    'y of 5',
    'a 16 to 40',
    'd 0 to 10',
    'a 0 to 40',
  ]);
});

const ops = fc.array(
  fc.record({
    after: fc.integer({ min: 200, max: 40_000 }),
    what: fc.constantFrom('ads', 'ads', 'blackout', 'end', 'cancel', 'none'),
    ahead: fc.integer({ min: 0, max: 90_000 }),
    duration: fc.constantFrom(0.5, 4.2, 30, 61, 200),
    isOpen: fc.boolean(),
    isReady: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

test('whatever is inserted, ended and cancelled, the programme goes on, nothing published changes, and planning settles', () => {
  fc.assert(
    fc.property(ops, (drawn) => {
      const first = syntheticChannel(list(), START);
      let channel = first;
      let orders: Order[] = [];
      let now = START + 1000;
      for (const { after, what, ahead, duration, isOpen, isReady } of [...drawn, { ...drawn[0]!, what: 'none' }]) {
        now += after;
        const id = `i${orders.length}`;
        if (what === 'ads') orders.push({ id, kind: what, startsAt: now + ahead, duration });
        if (what === 'blackout')
          orders.push({ id, kind: what, startsAt: now + ahead, ...(isOpen ? {} : { duration }) });
        const chosen = orders.findLast(
          ({ startsAt, isOver }) => !isOver && (what === 'cancel' ? startsAt > now : startsAt <= now),
        );
        if (what === 'end' || what === 'cancel')
          orders = orders.map((one) => (one === chosen ? { ...one, isOver: true } : one));
        if (isReady) orders = orders.map((one) => (one.kind === 'blackout' ? { ...one, asset: 'card' } : one));
        const published = channel.programme.spansBetween(millis(START), millis(now + LEAD)).map(described);
        const next = operated(channel, orders, now + LEAD);
        const kept = next.programme.spansBetween(millis(START), millis(now + LEAD)).map(described);
        expect(kept.slice(0, -1)).toEqual(published.slice(0, -1));
        expect(operated(next, orders, now + LEAD), 'planning again changes nothing').toBe(next);
        channel = next;
      }
      const over = orders.map((one) => ({ ...one, isOver: true }));
      channel = operated(channel, over, now + LEAD);
      const end = now + 300_000;
      const shown = programmeOf(channel.programme.spansBetween(millis(START), millis(end)));
      const plain = programmeOf(first.programme.spansBetween(millis(START), millis(end)));
      expect(shown.slice(0, -1)).toEqual(plain.slice(0, shown.length - 1));
    }),
    lawRuns(40),
  );
});
