// SPDX-License-Identifier: Apache-2.0
// An operator of a synthetic live channel: inserts breaks and blackouts now and ahead, ends and cancels them and those of the
// origin, at random. A seed reproduces what it does.
import {
  type BreakOrder,
  cancelInserted,
  endInserted,
  type InsertedBreak,
  isInserted,
} from '../../src/channels/inserted/breakOrder.ts';
import type { LiveFeed } from '../../src/live/feed.ts';
import { orderedEntry } from '../../src/live/orders/pendingSignals.ts';
import type { LiveState } from '../../src/live/programme/liveState.ts';
import { changesOf } from '../../src/planning/breaks/breakDesk.ts';
import { millis } from '../../src/time/units.ts';

export type LiveOperator = {
  /** Gives an order, or none. */
  act(state: LiveState, lag: number, now: number): void;
  /** Adds what is ordered to an entry, or makes one of it. */
  readonly ordered: (
    state: LiveState,
    now: number,
    ...[tail, read, frame]: Parameters<typeof orderedEntry> extends [infer Tail, infer Read, infer Frame, unknown]
      ? [Tail, Read, Frame]
      : never
  ) => ReturnType<typeof orderedEntry>;
};

/** Milliseconds. */
const AHEAD = 90_000;

export function liveOperator(feed: LiveFeed, random: () => number): LiveOperator {
  let orders: readonly BreakOrder[] = [];
  const owner = { tenant: feed.tenant, channelId: feed.channelId };
  const chosen = <Value>(all: readonly Value[]): Value | undefined => all[Math.floor(random() * all.length)];

  function insert(now: number): InsertedBreak {
    const kind = random() < 0.5 ? 'ads' : 'blackout';
    const isOpen = kind === 'blackout' && random() < 0.4;
    const startsAt = millis(Math.floor(now + (random() < 0.5 ? 0 : random() * AHEAD)));
    return {
      ...{ ...owner, id: `o${orders.length}`, kind, startsAt, createdAt: millis(now), revision: 0, request: '' },
      ...(isOpen ? {} : { duration: millis(1000 + Math.floor(random() * 40_000)) }),
    };
  }

  function change(one: InsertedBreak, now: number): void {
    const changed = (random() < 0.7 ? endInserted : cancelInserted)(one, millis(now));
    if (changed.outcome === 'changed') orders = orders.map((each) => (each === one ? changed.to : each));
  }

  /** Of the origin's breaks. */
  function changeMarked({ breaks, edge }: LiveState, lag: number, now: number): void {
    const facts = breaks?.breaks.filter(({ inserted }) => inserted === undefined).slice(-3) ?? [];
    const fact = chosen(facts);
    if (fact === undefined || edge === undefined) return;
    const all = [{ origin: 'hls', breaks: facts, warnings: [], feed, edge, lag } as const];
    const { changes } = changesOf(all, fact.id, random() < 0.5 ? 'end' : 'cancel', millis(now));
    orders = [...orders, ...changes.filter(({ id }) => !orders.some((each) => each.id === id))];
  }

  return {
    act(state, lag, now) {
      const what = random();
      if (what < 0.08) orders = [...orders, insert(now)];
      else if (what < 0.14) {
        const one = chosen(orders.filter(isInserted).filter(({ endedAt, cancelledAt }) => !(endedAt ?? cancelledAt)));
        if (one !== undefined) change(one, now);
      } else if (what < 0.17) changeMarked(state, lag, now);
    },
    ordered: (state, now, tail, read, frame) =>
      orderedEntry(tail, read, frame, {
        ...{ life: feed.life, breaks: state.breaks?.breaks ?? [], known: { at: millis(now), orders } },
        // Media of a blackout are ready some time after it was inserted.
        slateOf: ({ id, createdAt }) =>
          Number(id.slice(1)) % 3 === 0 && now > createdAt + 15_000 ? 'card' : undefined,
      }),
  };
}
