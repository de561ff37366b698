// SPDX-License-Identifier: Apache-2.0
// Which part of the store a session belongs to. All keys of a part contain the same hash tag, so that a cluster keeps them on one
// node, and one script changes them together. The tags are chosen such that the parts divide the hash slots of a cluster evenly
// (Redis Cluster specification, "Hash tags").
import calculateSlot from 'cluster-key-slot';
import { defined } from '../../invariant.ts';

/** Fixed: with another number, sessions that are stored would not be found. */
export const PARTS = 128;
const SLOTS = 16_384;

export type Part = {
  /** The beginning of all keys of the part. */
  readonly prefix: string;
  readonly slot: number;
};

const partOfSlot = (slot: number): number => Math.floor(slot / (SLOTS / PARTS));

/** For each part, the smallest number whose slot lies in its share of the slots. */
const tags: readonly number[] = (() => {
  const found: number[] = [];
  for (let number = 0, missing = PARTS; missing > 0; number += 1) {
    const index = partOfSlot(calculateSlot(String(number)));
    if (found[index] !== undefined) continue;
    found[index] = number;
    missing -= 1;
  }
  return found;
})();

export type Parts = { readonly all: readonly Part[]; of(sessionId: string): Part };

/** @param installation separates the keys of installations that share a server */
export function createParts(installation: string): Parts {
  const all = tags.map((tag): Part => ({ prefix: `${installation}:{${tag}}:`, slot: calculateSlot(String(tag)) }));
  // The whole id is hashed, also if it contains braces.
  return { all, of: (sessionId) => defined(all[partOfSlot(calculateSlot(`}${sessionId}`))], 'each slot has a part') };
}
