// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { insertedOf } from '../../../test/stores/records.ts';
import { type InsertedBreak, markedChange } from '../../channels/inserted/breakOrder.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import { addSignals, type BreakList } from '../breaks/breakList.ts';
import type { PlacedSignal } from '../slot.ts';
import { type OrderContext, pendingSignals } from './pendingSignals.ts';

const NOW = 1_772_366_400_000;
const LAG = 6000;
const at = (seconds: number): Instant => ({ millis: millis(NOW - LAG + 1000 * seconds), rest: flicks(0) });
const ads = insertedOf(millis(NOW), millis(NOW));
const { duration: _, ...openEnded } = ads;
const blackout: InsertedBreak = { ...openEnded, kind: 'blackout' };
const contextOf = (changed: Partial<OrderContext> = {}): OrderContext => ({
  life: 'l',
  edge: at(0),
  lag: LAG,
  now: millis(NOW),
  isResumed: false,
  breaks: [],
  logged: [],
  slateOf: () => undefined,
  ...changed,
});
const pending = (order: InsertedBreak, changed?: Partial<OrderContext>) =>
  pendingSignals(contextOf(changed), { at: millis(NOW), orders: [order] });
const factsAfter = (signals: readonly PlacedSignal[], list?: BreakList) =>
  addSignals(list, signals, millis(NOW), { entry: 3, edge: at(0), start: at(-60) });

test('a break that is due starts at the end of the timeline, with its whole length', () => {
  expect(pending(ads, { edge: at(1.5) })).toEqual([
    {
      kind: 'out',
      source: 'api',
      id: 'a',
      line: 0,
      raw: 'ads 30 s',
      at: at(1.5),
      duration: secondsToFlicks(30),
      inserted: { kind: 'ads' },
    },
  ]);
  expect(pending(ads, { edge: at(-3) })[0]?.at).toEqual(at(-3));
});

test('a break of later is announced ahead, as far as breaks are', () => {
  const later = (seconds: number) => ({ ...ads, startsAt: millis(NOW + 1000 * seconds) });
  expect(pending(later(20))[0]?.at).toEqual(at(20));
  expect(pending(later(599))).toHaveLength(1);
  expect(pending(later(601))).toEqual([]);
});

test('after an idle period, the rest of a break is shown', () => {
  const resumed = { isResumed: true, now: millis(NOW + 20_000) };
  expect(pending(ads, { ...resumed, edge: at(12) })[0]).toMatchObject({ at: at(12), duration: secondsToFlicks(18) });
  expect(pending(ads, { ...resumed, edge: at(-5) })[0]).toMatchObject({ at: at(0), duration: secondsToFlicks(30) });
  expect(pending(ads, { ...resumed, edge: at(8) })[0]).toMatchObject({ at: at(8), duration: secondsToFlicks(22) });
  expect(pending(ads, { ...resumed, edge: at(29.5) })).toEqual([]);
  expect(pending({ ...ads, duration: millis(2000) }, { ...resumed, edge: at(5) })).toEqual([]);
  const held = pending(blackout, { ...resumed, edge: at(86_400) })[0]!;
  expect([held.at, held.duration]).toEqual([at(86_400), undefined]);
});

test('what is over or was cancelled does not start', () => {
  expect(pending({ ...ads, cancelledAt: millis(NOW) })).toEqual([]);
  expect(pending({ ...blackout, endedAt: millis(NOW) })).toEqual([]);
  expect(pending(ads, { now: millis(NOW + 29_500) })).toEqual([]);
});

test('an order is in the log once', () => {
  const { breaks } = factsAfter(pending(ads));
  expect(breaks).toMatchObject([{ sourceId: 'a', source: 'api', inserted: 'ads', startsAt: at(0) }]);
  expect(pending(ads, { breaks })).toEqual([]);
});

test('an end is placed at the end of the timeline, and a cancellation before the start', () => {
  const list = factsAfter(pending(ads));
  const ended = { ...ads, endedAt: millis(NOW + 10_000) };
  const ends = pending(ended, { breaks: list.breaks, edge: at(10) });
  expect(ends).toMatchObject([{ kind: 'in', id: 'a', at: at(10) }]);
  const after = factsAfter(ends, list);
  expect(after.breaks).toMatchObject([{ sourceId: 'a', endsAt: at(10) }]);
  expect(pending(ended, { breaks: after.breaks, edge: at(10), logged: ends })).toEqual([]);
  expect(pending(ended, { breaks: list.breaks, edge: at(31) })).toEqual([]);

  const later = { ...ads, startsAt: millis(NOW + 20_000) };
  const ahead = factsAfter(pending(later));
  const cancels = pending({ ...later, cancelledAt: millis(NOW) }, { breaks: ahead.breaks, edge: at(2) });
  expect(cancels).toMatchObject([{ kind: 'cancel', id: 'a' }]);
  expect(factsAfter(cancels, ahead).breaks).toEqual([]);
});

test('a blackout is stated again, with the same id and start, and with its media once they are ready', () => {
  const list = factsAfter(pending(blackout));
  const [{ id }] = list.breaks as [BreakFact];
  expect(pending(blackout, { breaks: list.breaks, edge: at(299) })).toEqual([]);
  const repeats = pending(blackout, { breaks: list.breaks, edge: at(300) });
  expect(repeats).toMatchObject([{ kind: 'continue', at: at(300) }]);
  expect(factsAfter(repeats, list).breaks).toMatchObject([{ id, startsAt: at(0), statedAt: at(300) }]);
  // A node that reads only the end of the log.
  expect(factsAfter(repeats).breaks).toMatchObject([{ id, startsAt: at(0), inserted: 'blackout', sourceId: 'a' }]);
  const ready = pending(blackout, { breaks: list.breaks, edge: at(4), slateOf: () => 'card' });
  const shown = factsAfter(ready, list);
  expect(shown.breaks).toMatchObject([{ id, slateId: 'card' }]);
  expect(pending(blackout, { breaks: shown.breaks, edge: at(6), slateOf: () => 'card' })).toEqual([]);
});

test('a break whose order is not stored any more ends, but not one that was just written', () => {
  const { breaks } = factsAfter(pending(blackout));
  const context = contextOf({ breaks, edge: at(900) });
  expect(pendingSignals(context, { at: millis(NOW + 1000), orders: [] })).toEqual([]);
  expect(pendingSignals(context, { at: millis(NOW + 601_000), orders: [] })).toMatchObject([{ kind: 'in', id: 'a' }]);
});

const marker = { source: 'EXT-X-CUE-OUT', line: 4, raw: '#EXT-X-CUE-OUT:30' };
const out: PlacedSignal = { ...marker, kind: 'out', at: at(0), duration: secondsToFlicks(30) };

test('the origin neither ends nor moves an inserted break', () => {
  const list = factsAfter([...pending(ads), { ...out, at: at(5), duration: secondsToFlicks(10) }]);
  const ended = addSignals(list, [{ ...marker, kind: 'in', at: at(15), raw: '#EXT-X-CUE-IN' }], millis(NOW), {
    entry: 4,
    edge: at(16),
  });
  expect(ended.breaks.find(({ sourceId }) => sourceId === 'a')).toMatchObject({ startsAt: at(0) });
  expect(ended.breaks.find(({ sourceId }) => sourceId === 'a')).not.toHaveProperty('endsAt');
  expect(ended.breaks.find(({ source }) => source === 'EXT-X-CUE-OUT')).toMatchObject({ endsAt: at(15) });
});

const orderOf = (action: 'end' | 'cancel', breakId: string) =>
  markedChange({
    tenant: 'acme',
    channelId: 'news',
    createdAt: millis(NOW),
    life: 'l',
    breakId,
    action,
    startsAt: millis(NOW),
  });

test('a break of the origin ends by hand, and what repeats it is ignored', () => {
  const list = factsAfter([out]);
  const [{ id }] = list.breaks as [BreakFact];
  const known = { at: millis(NOW), orders: [orderOf('end', id)] };
  const ends = pendingSignals(contextOf({ breaks: list.breaks, edge: at(8) }), known);
  expect(ends).toMatchObject([{ kind: 'in', id, at: at(8), isByHand: true }]);
  const ended = addSignals(list, ends, millis(NOW + 8000), { entry: 5, edge: at(8) });
  expect(ended.breaks).toMatchObject([{ id, endsAt: at(8) }]);
  expect(pendingSignals(contextOf({ breaks: ended.breaks, edge: at(8), logged: ends }), known)).toEqual([]);
  expect(pendingSignals(contextOf({ life: 'other', breaks: list.breaks, edge: at(8) }), known)).toEqual([]);
  const repeats: PlacedSignal[] = [
    { ...out, at: at(10) },
    { ...marker, kind: 'continue', at: at(12), elapsed: secondsToFlicks(12), duration: secondsToFlicks(30) },
    { ...marker, kind: 'in', at: at(30), raw: '#EXT-X-CUE-IN' },
  ];
  const later = addSignals(ended, repeats, millis(NOW + 30_000), { entry: 6, edge: at(31) });
  expect(later.breaks).toMatchObject([{ id, endsAt: at(8) }]);
  expect(later.warnings.filter(({ text }) => text.includes('not started'))).toEqual([]);
  const next = addSignals(later, [{ ...out, at: at(60) }], millis(NOW + 60_000), { entry: 7, edge: at(61) });
  expect(next.breaks).toHaveLength(2);
});

test('an announced break of the origin is cancelled by hand, in each of its spellings', () => {
  const range = { source: 'EXT-X-DATERANGE', line: 3, raw: '#EXT-X-DATERANGE:ID="x"', id: 'daterange x' };
  const list = factsAfter([{ ...range, kind: 'out', at: at(20), duration: secondsToFlicks(30) }]);
  const [{ id }] = list.breaks as [BreakFact];
  const known = { at: millis(NOW), orders: [orderOf('cancel', id)] };
  const cancels = pendingSignals(contextOf({ breaks: list.breaks, edge: at(4) }), known);
  expect(cancels).toMatchObject([{ kind: 'cancel', id }]);
  const cancelled = addSignals(list, cancels, millis(NOW + 4000), { entry: 5, edge: at(4) });
  expect(cancelled.breaks).toEqual([]);
  const repeats: PlacedSignal[] = [
    { ...out, at: at(20.2) },
    { ...marker, kind: 'continue', at: at(30), elapsed: secondsToFlicks(10), duration: secondsToFlicks(30) },
    { ...marker, kind: 'in', at: at(50), raw: '#EXT-X-CUE-IN' },
  ];
  expect(addSignals(cancelled, repeats, millis(NOW + 5000), { entry: 6, edge: at(51) }).breaks).toEqual([]);
});
