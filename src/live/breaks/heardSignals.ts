// SPDX-License-Identifier: Apache-2.0
// Adds newly read signals to the ones that were read before: a signal may repeat, change, move or cancel an earlier one.

import { withoutUndefined } from '../../invariant.ts';
import type { MarkerSignal } from '../../markers/markerSignal.ts';
import { eventOf } from '../../markers/spliceStatements.ts';
import type { Flicks, Millis } from '../../time/units.ts';

/** @returns all signals in the order of their times, without the cancelled ones */
export function addHeard(heard: readonly Heard[], batch: Batch): Heard[] {
  const index = createHeardIndex(heard);
  for (const signal of batch.signals) {
    if (signal.kind === 'cancel') index.removeCancelled(signal);
    else if (!update(index, signal, batch)) index.add(newHeard(index, signal, batch));
  }
  return index.all().sort(compare);
}

const compare = (a: Heard, b: Heard): number =>
  a.signal.at - b.signal.at || Number(b.isFirst) - Number(a.isFirst) || a.signal.order - b.signal.order;

/** Replaces the attributes of the same signal at the same place. @returns false if there is none */
function update(index: HeardIndex, signal: MarkerSignal, { readAt }: Batch): boolean {
  const before = index.same(signal);
  if (before === undefined || before.readAt === readAt) return false;
  const { duration, isComplete, upid, hint } = signal;
  const changed = {
    ...before.signal,
    ...withoutUndefined({ duration, isComplete, upid, hint }),
  };
  index.replace(before, { ...before, signal: changed });
  return true;
}

function newHeard(index: HeardIndex, signal: Heard['signal'], batch: Batch): Heard {
  const { readAt, edge } = batch;
  const isFirst = signal.kind === 'in' && index.isAnnounced(signal);
  // A newer signal moves one whose time had not come.
  const moved = index.removeMoved(signal, batch).map((each) => each.signal.order);
  const order = moved.reduce((least, each) => Math.min(least, each), signal.order);
  // What has an id may be announced for the end of what is listed.
  const isAhead = signal.at > edge || (signal.at === edge && signal.id !== undefined);
  return { signal: { ...signal, order }, readAt, isAhead, isFirst };
}

// Finds signals without searching all of them: a window of half a day has a marker on each of its segments in some origins.

type Signal = Pick<MarkerSignal, 'kind' | 'id' | 'at'>;

function createHeardIndex(heard: readonly Heard[]) {
  /** In the order in which they were added. */
  const all = new Set<Heard>();
  const byEvent = new Map<string, Set<Heard>>();
  const byPlace = new Map<string, Set<Heard>>();
  /** Signals that were read before their time, by id. */
  const aheadById = new Map<string, Set<Heard>>();
  /** Starts of breaks that were read before their time. */
  const aheadByPlace = new Map<string, Set<Heard>>();

  function keysOf({ signal, isAhead }: Heard): readonly (readonly [Map<string, Set<Heard>>, string])[] {
    const { id, kind, at } = signal;
    return [
      ...(id === undefined
        ? []
        : ([
            [byEvent, eventOf(id)],
            [byPlace, placeKey(signal)],
            ...(isAhead ? ([[aheadById, idKey(signal)]] as const) : []),
          ] as const)),
      ...(isAhead && kind === 'out' ? ([[aheadByPlace, `${at}`]] as const) : []),
    ];
  }

  function add(one: Heard): void {
    all.add(one);
    for (const [map, key] of keysOf(one)) {
      const known = map.get(key);
      if (known === undefined) map.set(key, new Set([one]));
      else known.add(one);
    }
  }

  function remove(one: Heard): void {
    all.delete(one);
    for (const [map, key] of keysOf(one)) map.get(key)?.delete(one);
  }

  for (const one of heard) add(one);
  return {
    all: (): Heard[] => [...all],
    add,
    replace(before: Heard, by: Heard) {
      remove(before);
      add(by);
    },
    /** The last one with the same id and kind at the same place. */
    same: (signal: MarkerSignal): Heard | undefined =>
      signal.id === undefined ? undefined : [...(byPlace.get(placeKey(signal)) ?? [])].at(-1),
    /** Whether another break was announced ahead for the instant of a signal. */
    isAnnounced: ({ at, id }: MarkerSignal): boolean =>
      [...(aheadByPlace.get(`${at}`) ?? [])].some(({ signal }) => id === undefined || signal.id !== id),
    removeMoved(signal: MarkerSignal, { readAt, lastEdge }: Batch): Heard[] {
      if (signal.id === undefined) return [];
      const moved = [...(aheadById.get(idKey(signal)) ?? [])].filter(
        (one) => one.readAt < readAt && one.signal.at > lastEdge,
      );
      for (const one of moved) remove(one);
      return moved;
    },
    /** A break that has not begun does not take place; its signals may be read again later, and are valid then. */
    removeCancelled({ id, at }: MarkerSignal) {
      if (id === undefined) return;
      for (const one of byEvent.get(eventOf(id)) ?? []) if (one.signal.at >= at) remove(one);
    },
  };
}

type HeardIndex = ReturnType<typeof createHeardIndex>;

const idKey = ({ kind, id }: Signal): string => `${kind} ${id}`;
const placeKey = (signal: Signal): string => `${signal.at} ${idKey(signal)}`;

export type Heard = {
  /** The signal, with the order of its first announcement. */
  readonly signal: MarkerSignal & { readonly order: number };
  readonly readAt: Millis;
  /** Whether the signal was read before its time. */
  readonly isAhead: boolean;
  /** Whether the signal ends a break at the instant for which another one was announced: the end comes first. */
  readonly isFirst: boolean;
};

/** What one reading found, with times counted like those of the earlier ones. */
type Batch = {
  readonly signals: readonly Heard['signal'][];
  readonly readAt: Millis;
  /** The end of the timeline in the reading before, and in this one. */
  readonly lastEdge: Flicks;
  readonly edge: Flicks;
};
