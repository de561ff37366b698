// SPDX-License-Identifier: Apache-2.0
// Which breaks of the origins of a live channel an operator ends or cancels.
import type { ChannelRef } from '../../channels/channelKey.ts';
import { type BreakOrder, type MarkedChange, markedChange } from '../../channels/inserted/breakOrder.ts';
import type { BreakFact } from '../../live/breaks/breakFact.ts';
import { FLICKS_PER_MILLI, type Millis, millis } from '../../time/units.ts';
import type { LiveFeedBreaks } from '../live/readBreaks.ts';

/** A break of the origin as its markers state it. `endsAt` is where the order ends it. */
export type MarkedBreakState = {
  readonly id: string;
  readonly state: 'scheduled' | 'running' | 'ended' | 'cancelled';
  readonly startsAt: Millis;
  readonly duration?: Millis;
  readonly endsAt?: Millis;
  readonly createdAt: Millis;
};

export type MarkedOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly marked: MarkedBreakState }
  | { readonly outcome: 'conflict'; readonly reason: string }
  | { readonly outcome: 'unknown' };

type Found = {
  readonly of: LiveFeedBreaks;
  readonly fact: BreakFact;
  readonly state: 'scheduled' | 'running' | 'ended';
};

/** Of a break whose end is never stated. */
const LONGEST_MS = 3_600_000;

const timesOf = ({ startsAt, endsAt, duration }: BreakFact) => {
  const start = startsAt.millis;
  const length = duration === undefined ? undefined : Math.round(duration / FLICKS_PER_MILLI);
  const end = endsAt?.millis ?? (length === undefined ? undefined : start + length);
  return { start, length, end };
};

/** By the timeline, which is behind the clock. */
function stateOf({ edge, lag }: LiveFeedBreaks, fact: BreakFact, now: Millis): Found['state'] {
  const position = Math.max(now - lag, edge?.millis ?? 0);
  const { start, end = start + LONGEST_MS } = timesOf(fact);
  if (position < start) return 'scheduled';
  return position < end ? 'running' : 'ended';
}

function stated({ fact, of }: Found, state: MarkedBreakState['state']): MarkedBreakState {
  const { start, length, end } = timesOf(fact);
  const cutAt = state === 'ended' ? Math.min(end ?? Number.POSITIVE_INFINITY, of.edge?.millis ?? start) : end;
  return {
    ...{ id: fact.id, state, startsAt: millis(start), createdAt: fact.announcedAt },
    ...(length === undefined ? {} : { duration: millis(length) }),
    ...(cutAt === undefined || state === 'cancelled' ? {} : { endsAt: millis(Math.max(start, cutAt)) }),
  };
}

/** A break that was cancelled is not in the timeline any more. */
export function cancelledBefore(orders: readonly BreakOrder[], { tenant, id: channelId }: ChannelRef, id: string) {
  const order = orders.find(
    (one): one is MarkedChange =>
      one.kind === 'marked' &&
      one.tenant === tenant &&
      one.channelId === channelId &&
      (one.breakId === id || one.sourceId === id),
  );
  if (order?.action !== 'cancel') return undefined;
  const { breakId, startsAt, createdAt } = order;
  const marked: MarkedBreakState = { id: breakId, state: 'cancelled', startsAt, createdAt };
  return { outcome: 'unchanged', marked } as const;
}

/** @param id the `id` or the `sourceId` of a break; those on air when absent */
export function changesOf(
  all: readonly LiveFeedBreaks[],
  id: string | undefined,
  action: 'end' | 'cancel',
  now: Millis,
): { readonly changes: readonly MarkedChange[]; readonly outcome: MarkedOutcome } {
  const found = all.flatMap((of): Found[] => {
    const ofOrigin = of.breaks.filter((fact) => fact.inserted === undefined && !fact.isInsertionPoint);
    const own = ofOrigin.map((fact) => ({ of, fact, state: stateOf(of, fact, now) }));
    if (id === undefined) return own.filter(({ state }) => state === 'running').slice(-1);
    // Encoders use the ids of their markers again; the newest break has it.
    return own.filter(({ fact }) => fact.id === id || fact.sourceId === id).slice(-1);
  });
  const [first] = found;
  if (first === undefined) return { changes: [], outcome: { outcome: 'unknown' } };
  const wanted = action === 'end' ? 'running' : 'scheduled';
  const changed = found.filter(({ state }) => state === wanted);
  const [firstChanged] = changed;
  if (firstChanged === undefined) {
    if (action === 'end' && first.state === 'ended')
      return { changes: [], outcome: { outcome: 'unchanged', marked: stated(first, 'ended') } };
    const hint = { scheduled: 'has not started; cancel it', running: 'is running; end it', ended: 'has ended' };
    return { changes: [], outcome: { outcome: 'conflict', reason: `Break "${id}" ${hint[first.state]}.` } };
  }
  const changes = changed.map(({ of: { feed }, fact }) =>
    markedChange({
      ...{ tenant: feed.tenant, channelId: feed.channelId, life: feed.life, createdAt: now },
      ...(fact.sourceId === undefined ? {} : { sourceId: fact.sourceId }),
      ...{ action, breakId: fact.id, startsAt: millis(Math.max(now, fact.startsAt.millis)) },
    }),
  );
  const state = action === 'end' ? 'ended' : 'cancelled';
  return { changes, outcome: { outcome: 'changed', marked: stated(firstChanged, state) } };
}
