// SPDX-License-Identifier: Apache-2.0
// What operators order by hand: inserts, ends and cancels breaks. The effect on a timeline is left to those who write it.
import type { Channel } from '../../channels/channel.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import {
  type BreakOrder,
  type Change,
  cancelInserted,
  endInserted,
  type InsertedBreak,
  insertedState,
  type MarkedChange,
  markedChange,
} from '../../channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../../channels/inserted/ports.ts';
import { withoutUndefined } from '../../invariant.ts';
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

type MarkedOutcome =
  | { readonly outcome: 'changed' | 'unchanged'; readonly marked: MarkedBreakState }
  | { readonly outcome: 'conflict'; readonly reason: string }
  | { readonly outcome: 'unknown' };

type Found = {
  readonly of: LiveFeedBreaks;
  readonly fact: BreakFact;
  readonly state: 'scheduled' | 'running' | 'ended';
};

/** The assumed length of a break whose end is never stated. */
const LONGEST_MS = 3_600_000;

const timesOf = ({ startsAt, endsAt, duration }: BreakFact) => {
  const start = startsAt.millis;
  const length = duration === undefined ? undefined : Math.round(duration / FLICKS_PER_MILLI);
  const end = endsAt?.millis ?? (length === undefined ? undefined : start + length);
  return { start, length, end };
};

/** The state of a break on the timeline, which is behind the clock. */
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
    id: fact.id,
    state,
    startsAt: millis(start),
    createdAt: fact.announcedAt,
    ...(length === undefined ? {} : { duration: millis(length) }),
    ...(cutAt === undefined || state === 'cancelled' ? {} : { endsAt: millis(Math.max(start, cutAt)) }),
  };
}

/** A break that was cancelled is not in the timeline any more. */
function cancelledBefore(orders: readonly BreakOrder[], { tenant, id: channelId }: ChannelRef, id: string) {
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
      tenant: feed.tenant,
      channelId: feed.channelId,
      life: feed.life,
      createdAt: now,
      ...withoutUndefined({ sourceId: fact.sourceId }),
      action,
      breakId: fact.id,
      startsAt: millis(Math.max(now, fact.startsAt.millis)),
    }),
  );
  const state = action === 'end' ? 'ended' : 'cancelled';
  return { changes, outcome: { outcome: 'changed', marked: stated(firstChanged, state) } };
}

/** An inserted break that is requested; `request` is what the client sent. */
export type Insertion = Pick<InsertedBreak, 'id' | 'kind' | 'duration' | 'assetUrl' | 'request'> & {
  /** Default: now. */
  readonly startsAt?: Millis;
};

export type Ordered =
  | { readonly outcome: 'inserted' | 'repeated' | 'changed' | 'unchanged'; readonly break: InsertedBreak }
  | MarkedOutcome
  | { readonly outcome: 'conflict'; readonly reason: string }
  | { readonly outcome: 'unknown' };

export type BreakDesk = ReturnType<typeof createBreakDesk>;

type BreakDeskDeps = {
  readonly store: BreakOrderStore;
  readonly breaksOf: (channel: ChannelRef) => Promise<readonly LiveFeedBreaks[]>;
  readonly now: () => Millis;
  /** Called after an order was stored. The response waits for it, so that no content is listed between it and the break. */
  readonly onOrdered: (channel: ChannelRef) => Promise<void>;
};

/** Orders of a channel that are not over. */
const MAX_ORDERS = 100;
const MAX_ATTEMPTS = 5;
/** Milliseconds in which a cancellation can be repeated. */
const REPEATED_WITHIN = 3_600_000;

const conflict = (reason: string): Ordered => ({ outcome: 'conflict', reason });

export function createBreakDesk({ store, breaksOf, now, onOrdered }: BreakDeskDeps) {
  /** @param check throws if a break that is not known must not start at that time */
  async function insert(channel: Channel, insertion: Insertion, check: (startsAt: Millis) => void): Promise<Ordered> {
    const { startsAt = now(), ...rest } = insertion;
    const repeated = (known: InsertedBreak): Ordered =>
      known.request === insertion.request
        ? { outcome: 'repeated', break: known }
        : conflict(`Break "${known.id}" exists with other fields; choose another id.`);
    const known = await store.find(channel, insertion.id);
    if (known !== undefined) return repeated(known);
    check(startsAt);
    const createdAt = now();
    const owner = { tenant: channel.tenant, channelId: channel.id };
    const stored = await store.insert<InsertedBreak>(
      { ...rest, ...owner, startsAt: millis(Math.max(startsAt, createdAt)), createdAt, revision: 0 },
      MAX_ORDERS,
    );
    if (stored.outcome === 'full')
      return conflict(`The channel has ${MAX_ORDERS} breaks that are not over; cancel or end one of them.`);
    if (stored.outcome === 'known') return repeated(stored.order);
    await onOrdered(channel);
    return { outcome: 'inserted', break: stored.order };
  }

  /** Changes an inserted break. If two changes arrive at once, the second one sees the first. */
  async function change(
    channel: ChannelRef,
    id: string,
    to: (one: InsertedBreak, at: Millis) => Change,
  ): Promise<Ordered> {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const one = await store.find(channel, id);
      if (one === undefined) return { outcome: 'unknown' };
      const changed = to(one, now());
      if (changed.outcome === 'conflict') return changed;
      if (changed.outcome === 'unchanged') return { outcome: 'unchanged', break: one };
      if (!(await store.replace(changed.to))) continue;
      await onOrdered(channel);
      return { outcome: 'changed', break: changed.to };
    }
    return conflict(`Break "${id}" is being changed; retry.`);
  }

  async function changeMarked(channel: Channel, id: string | undefined, action: 'end' | 'cancel'): Promise<Ordered> {
    if (channel.type !== 'live') return { outcome: 'unknown' };
    const { changes, outcome } = changesOf(await breaksOf(channel), id, action, now());
    for (const one of changes) await store.insert(one, Number.POSITIVE_INFINITY);
    if (changes.length > 0) await onOrdered(channel);
    if (outcome.outcome !== 'unknown' || action === 'end' || id === undefined) return outcome;
    return cancelledBefore(await store.current(millis(now() - REPEATED_WITHIN)), channel, id) ?? outcome;
  }

  /** A blackout covers what else is on air, so it is what ends first. */
  async function endOnAir(channel: Channel): Promise<Ordered> {
    const at = now();
    const current = (await store.list(channel, at, millis(at + 1))).filter(
      (one) => insertedState(one, at) === 'running',
    );
    const blackouts = current.filter(({ kind }) => kind === 'blackout');
    const ending = blackouts.length > 0 ? blackouts : current;
    // All changes are made at once: each waits until the timelines contain it.
    const ended = await Promise.all(ending.map(({ id }) => change(channel, id, endInserted)));
    if (blackouts.length === 0) ended.push(await changeMarked(channel, undefined, 'end'));
    const done =
      ended.find(({ outcome }) => outcome === 'changed') ?? ended.find(({ outcome }) => outcome !== 'unknown');
    return done ?? conflict(`No break is on air on channel "${channel.id}".`);
  }

  async function changeNamed(channel: Channel, id: string, action: 'end' | 'cancel'): Promise<Ordered> {
    const changed = await change(channel, id, action === 'end' ? endInserted : cancelInserted);
    return changed.outcome === 'unknown' ? changeMarked(channel, id, action) : changed;
  }

  return {
    insert,
    /** @param id of an inserted break or of one of the origin; the break on air when absent */
    end: (channel: Channel, id: string | undefined) =>
      id === undefined ? endOnAir(channel) : changeNamed(channel, id, 'end'),
    cancel: (channel: Channel, id: string) => changeNamed(channel, id, 'cancel'),
    /** The breaks that operators have inserted, in the order of their starts. */
    list: store.list,
  };
}
