// SPDX-License-Identifier: Apache-2.0
// Finds signals without searching all of them: a window of half a day has a marker on each of its segments in some origins.
import type { MarkerSignal } from '../../markers/markerSignal.ts';
import { eventOf } from '../../markers/signalId.ts';
import type { Batch, Heard } from './heard.ts';

export type HeardIndex = {
  all(): Heard[];
  add(heard: Heard): void;
  replace(heard: Heard, by: Heard): void;
  /** The last one with the same id and kind at the same place. */
  same(signal: MarkerSignal): Heard | undefined;
  /** Whether another break was announced ahead for the instant of a signal. */
  isAnnounced(signal: MarkerSignal): boolean;
  /** Removes those that a newer signal moves. */
  removeMoved(signal: MarkerSignal, batch: Batch): Heard[];
  /** A break that has not begun does not take place; its signals may be read again later, and are valid then. */
  removeCancelled(signal: MarkerSignal): void;
};

type Signal = Pick<MarkerSignal, 'kind' | 'id' | 'at'>;

export function createHeardIndex(heard: readonly Heard[]): HeardIndex {
  /** In the order in which they were added. */
  const all = new Set<Heard>();
  const byEvent = new Map<string, Set<Heard>>();
  const byPlace = new Map<string, Set<Heard>>();
  /** Those that were read before their time, by id. */
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
    all: () => [...all],
    add,
    replace(before, by) {
      remove(before);
      add(by);
    },
    same: (signal) => (signal.id === undefined ? undefined : [...(byPlace.get(placeKey(signal)) ?? [])].at(-1)),
    isAnnounced: ({ at, id }) =>
      [...(aheadByPlace.get(`${at}`) ?? [])].some(({ signal }) => id === undefined || signal.id !== id),
    removeMoved(signal, { readAt, lastEdge }) {
      if (signal.id === undefined) return [];
      const moved = [...(aheadById.get(idKey(signal)) ?? [])].filter(
        (one) => one.readAt < readAt && one.signal.at > lastEdge,
      );
      for (const one of moved) remove(one);
      return moved;
    },
    removeCancelled({ id, at }) {
      if (id === undefined) return;
      for (const one of byEvent.get(eventOf(id)) ?? []) if (one.signal.at >= at) remove(one);
    },
  };
}

const idKey = ({ kind, id }: Signal): string => `${kind} ${id}`;
const placeKey = (signal: Signal): string => `${signal.at} ${idKey(signal)}`;
