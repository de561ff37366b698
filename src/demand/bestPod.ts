// SPDX-License-Identifier: Apache-2.0
// The bids that pay most together: a knapsack with rules, solved by branch and bound. It knows no ads, only numbers.

export type Bid = {
  readonly frames: number;
  /** An integer, not negative. */
  readonly value: number;
  /** Bids that cannot be with it; symmetric. */
  readonly excludes: BidSet;
};

/** At most `most` of the bids in `members`. */
export type BidLimit = { readonly members: BidSet; readonly most: number };

/** Bids as bits, by their index. */
export type BidSet = number;

export type BidRules = {
  /** May be infinite, like `maxAds`. */
  readonly frames: number;
  readonly maxAds: number;
  readonly limits: readonly BidLimit[];
  /** Whether bids can be a pod, if nothing is added. */
  isPod(bids: readonly number[]): boolean;
};

/** The most bids that a set of bits can have. */
export const MAX_BIDS = 30;
/** The most nodes of the search; real bids need some tens. */
const MAX_NODES = 3000;

export const has = (set: BidSet, bid: number): boolean => ((set >> bid) & 1) === 1;

export const setOf = <Item>(items: readonly Item[], isMember: (item: Item) => boolean): BidSet =>
  items.reduce((set, item, index) => (isMember(item) ? set | (1 << index) : set), 0);

export function sizeOf(set: BidSet): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

type Best = { readonly bids: readonly number[]; readonly worth: number };

/** A part of the search: bids that were chosen, and those that can still be. */
type Branch = {
  readonly chosen: readonly number[];
  readonly set: BidSet;
  readonly open: BidSet;
  readonly worth: number;
  /** Frames that are left. */
  readonly room: number;
};

/**
 * The pod with the highest sum of values. If several have it: the one that fills more frames, then that with fewer ads, then that
 * with the bid that pays more per second (if equal, the longer one, then the first). If MAX_NODES do not suffice to prove it, the
 * best pod so far.
 * @param bids at most MAX_BIDS
 * @returns indexes in ascending order, and the number of nodes
 */
export function bestPod(bids: readonly Bid[], rules: BidRules): { readonly bids: number[]; readonly nodes: number } {
  const capacity = capacityOf(bids, rules.frames);
  // Value and frames as one number: no sum of frames outweighs one of value.
  const worths = bids.map(({ value, frames }) => value * (capacity + 1) + frames);
  const worthOf = (bid: number): number => worths[bid] ?? 0;
  const framesOf = (bid: number): number => bids[bid]?.frames ?? 0;
  const perFrame = (bid: number): number => worthOf(bid) / framesOf(bid);
  const order = [...bids.keys()].sort((a, b) => perFrame(b) - perFrame(a) || framesOf(b) - framesOf(a) || a - b);
  const richest = createRichest(order.map(worthOf));
  const shortest = order.map((_, at) => Math.min(...order.slice(at).map(framesOf)));
  let best: Best = { bids: [], worth: 0 };
  let nodes = 0;

  const isPossible = ({ open, room }: Branch, bid: number): boolean => has(open, bid) && framesOf(bid) <= room;

  /** The most that the bids from `from` on can add; a bid may be used in part. */
  function mostFrom(from: number, branch: Branch): number {
    let [sum, left] = [0, branch.room];
    for (let at = from; at < order.length; at += 1) {
      const bid = order[at] ?? 0;
      if (!isPossible(branch, bid)) continue;
      if (framesOf(bid) > left) {
        sum += Math.ceil((worthOf(bid) * left) / framesOf(bid));
        break;
      }
      sum += worthOf(bid);
      left -= framesOf(bid);
    }
    const count = Math.min(rules.maxAds - branch.chosen.length, Math.floor(branch.room / (shortest[from] ?? 1)));
    return Math.min(sum, richest(from, count));
  }

  function isPromising(from: number, branch: Branch): boolean {
    const missing = best.worth - branch.worth;
    const most = mostFrom(from, branch);
    if (most !== missing) return most > missing;
    return branch.chosen.length + Math.ceil(missing / richest(from, 1)) < best.bids.length;
  }

  const isBetter = ({ chosen, worth }: Branch): boolean =>
    worth > best.worth || (worth === best.worth && chosen.length < best.bids.length);

  function search(from: number, branch: Branch): void {
    if (branch.chosen.length >= rules.maxAds) return;
    for (let at = from; at < order.length; at += 1) {
      const bid = order[at] ?? 0;
      if (!isPossible(branch, bid)) continue;
      if (nodes >= MAX_NODES || !isPromising(at, branch)) return;
      nodes += 1;
      const chosen = [...branch.chosen, bid];
      const set = branch.set | (1 << bid);
      const open = withoutReached(branch.open & ~(bids[bid]?.excludes ?? 0), rules.limits, set);
      const next = { chosen, set, open, worth: branch.worth + worthOf(bid), room: branch.room - framesOf(bid) };
      if (isBetter(next) && rules.isPod(chosen)) best = { bids: chosen, worth: next.worth };
      search(at + 1, next);
    }
  }

  search(0, { chosen: [], set: 0, open: withoutReached(-1, rules.limits, 0), worth: 0, room: capacity });
  return { bids: best.bids.toSorted((a, b) => a - b), nodes };
}

/** The most frames that bids can use: a sum of their lengths is a multiple of what their lengths have in common. */
function capacityOf(bids: readonly Bid[], frames: number): number {
  const sum = bids.reduce((total, bid) => total + bid.frames, 0);
  const grid = bids.reduce((common, bid) => greatestCommon(common, bid.frames), 0);
  return frames >= sum ? sum : frames - (frames % grid);
}

const greatestCommon = (a: number, b: number): number => (b === 0 ? a : greatestCommon(b, a % b));

/** Without the members of limits that are reached. */
const withoutReached = (open: BidSet, limits: readonly BidLimit[], set: BidSet): BidSet =>
  limits.reduce((rest, { members, most }) => (sizeOf(set & members) >= most ? rest & ~members : rest), open);

/** @returns the sum of the `count` highest of the numbers from `from` on */
function createRichest(worths: readonly number[]): (from: number, count: number) => number {
  const sums = worths.map((): number[] | undefined => undefined);
  return (from, count) => {
    let known = sums[from];
    if (known === undefined) {
      let sum = 0;
      known = worths
        .slice(from)
        .sort((a, b) => b - a)
        .map((worth) => {
          sum += worth;
          return sum;
        });
      sums[from] = known;
    }
    return known[Math.min(count, known.length) - 1] ?? 0;
  };
}
