// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { type Bid, type BidLimit, type BidRules, bestPod, has, MAX_BIDS } from './bestPod.ts';

const free: BidRules = {
  frames: Number.POSITIVE_INFINITY,
  maxAds: Number.POSITIVE_INFINITY,
  limits: [],
  isPod: () => true,
};
const bid = (frames: number, value: number): Bid => ({ frames, value, excludes: 0 });
const sum = (bids: readonly Bid[], of: 'frames' | 'value'): number => bids.reduce((total, one) => total + one[of], 0);

type Sum = readonly [value: number, frames: number, fewness: number];
const sumOf = (bids: readonly Bid[]): Sum => [sum(bids, 'value'), sum(bids, 'frames'), 99 - bids.length];
const isLess = (a: Sum, b: Sum): boolean => {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at >= 0 && a[at]! < b[at]!;
};

/** Tries every set. */
function bestOfAll(bids: readonly Bid[], rules: BidRules): Sum {
  let best = sumOf([]);
  for (let set = 1; set < 1 << bids.length; set += 1) {
    const indexes = [...bids.keys()].filter((index) => has(set, index));
    const chosen = indexes.map((index) => bids[index]!);
    const isAllowed =
      sum(chosen, 'frames') <= rules.frames &&
      chosen.length <= rules.maxAds &&
      chosen.every(({ excludes }) => (excludes & set) === 0) &&
      rules.limits.every(({ members, most }) => indexes.filter((index) => has(members, index)).length <= most) &&
      rules.isPod(indexes);
    if (isAllowed && isLess(best, sumOf(chosen))) best = sumOf(chosen);
  }
  return best;
}

const bids = (length: number) =>
  fc.array(
    fc.record({
      frames: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(15, 20, 30)),
      value: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom(10, 20)),
    }),
    { maxLength: length },
  );

const rules = fc.record({
  frames: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constantFrom(60, 90, Number.POSITIVE_INFINITY)),
  maxAds: fc.constantFrom(0, 1, 2, 3, 4, Number.POSITIVE_INFINITY),
  limits: fc.array(fc.record({ members: fc.integer({ min: 0, max: 4095 }), most: fc.integer({ min: 0, max: 3 }) }), {
    maxLength: 4,
  }),
  pairs: fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 11 })), { maxLength: 8 }),
  /** Sets that need an even number of ads: as with arrangements, a part of a pod may be impossible. */
  needsPairs: fc.boolean(),
});

describe('bestPod', () => {
  it('finds the pod of all that pays most, then fills most, then has the fewest ads', () => {
    fc.assert(
      fc.property(bids(11), rules, (offered, { pairs, needsPairs, ...limits }) => {
        const all = offered.map((one, index): Bid => {
          const others = pairs.flatMap(([a, b]) => (a === b ? [] : a === index ? [b] : b === index ? [a] : []));
          return { ...one, excludes: others.reduce((set, other) => set | (1 << other), 0) };
        });
        const order: BidRules = { ...free, ...limits, isPod: ({ length }) => !needsPairs || length % 2 === 0 };
        const found = bestPod(all, order);
        const chosen = found.bids.map((index) => all[index]!);
        expect(sumOf(chosen)).toEqual(bestOfAll(all, order));
        expect(found.bids).toEqual(found.bids.toSorted((a, b) => a - b));
      }),
      lawRuns(2000),
    );
  });

  it('prefers the first of equal bids', () => {
    const all = [bid(30, 5), bid(30, 5), bid(30, 5)];
    expect(bestPod(all, { ...free, frames: 60 }).bids).toEqual([0, 1]);
  });

  it('needs few nodes for bids that are hard to choose from', () => {
    const lengths = [150, 250, 375, 500, 750];
    const lengthOf = (index: number): number => lengths[index % lengths.length]!;
    const odd = (index: number): number => 301 + 37 * ((index * 7) % MAX_BIDS);
    const of = (make: (index: number) => Bid): Bid[] => Array.from({ length: MAX_BIDS }, (_, index) => make(index));
    const limits: BidLimit[] = [0, 1, 2].map((first) => ({
      members: [...Array(MAX_BIDS).keys()]
        .filter((index) => index % 3 === first)
        .reduce((set, one) => set | (1 << one), 0),
      most: 1,
    }));
    const cases: Record<string, readonly [readonly Bid[], Partial<BidRules>]> = {
      'equal bids': [of(() => bid(375, 5_000_000)), { frames: 3100 }],
      'one price for every length': [of((index) => bid(lengthOf(index), 5_000_000)), { frames: 3002, maxAds: 4 }],
      'one price per second': [of((index) => bid(lengthOf(index), lengthOf(index) * 20_000)), { frames: 3002 }],
      'one price per second and odd lengths': [of((index) => bid(odd(index), odd(index) * 20_000)), { frames: 4502 }],
      'a base price and one per second': [of((index) => bid(odd(index), 1e6 + odd(index) * 20_000)), { frames: 4502 }],
      'three advertisers': [
        of((index) => bid(lengthOf(index), 1e6 + ((index * 7919) % 100) * 1e5)),
        { frames: 3002, limits },
      ],
    };
    for (const [name, [all, more]] of Object.entries(cases))
      expect([name, bestPod(all, { ...free, ...more }).nodes <= 1000]).toEqual([name, true]);
  });

  it('gives up the proof, and not the pod, after a number of nodes', () => {
    // At 29.97 frames a second, lengths have nothing in common, and one price per second makes all pods alike.
    const seconds = [6, 10, 15, 20, 30, 60];
    const lengthOf = (index: number): number => Math.round((seconds[index % 6]! * 30_000) / 1001);
    const all = Array.from({ length: MAX_BIDS }, (_, index) => bid(lengthOf(index), seconds[index % 6]! * 1_000_000));
    const { bids: found, nodes } = bestPod(all, { ...free, frames: 3598 });
    expect(nodes).toBe(3000);
    expect(sumOf(found.map((index) => all[index]!)).slice(0, 1)).toEqual([120_000_000]);
  });
});
