// SPDX-License-Identifier: Apache-2.0
// An order of a pod in which no two neighbours are competitors, and bids for its first or last place have it.
import type { PodPlace } from '../ads/pod/podChoice.ts';
import type { BidFacts } from '../ads/record/offer.ts';

export type Placed = Omit<PodPlace, 'ad'> & Pick<BidFacts, 'slot'>;

/** Ads that are placed before the search for an order is given up. */
const MAX_TRIALS = 1000;

/** The trials that are left for all orders of a break: ad servers and bidders decide how hard they are to find. */
export type Trials = { left: number };

/**
 * Ads with a sequence keep their order, and no ad moves in front of one that it follows, but a bid for the first place: only ads of
 * earlier steps precede that. Of the possible orders it is the one in which the first ads keep their places, as many as possible. Ads
 * that compete with the same others are interchangeable, so few orders are tried.
 * @param pod in the order in which they would be shown
 * @param competes symmetric
 * @param trials is reduced
 * @returns undefined if there is no such order, or if none was found in MAX_TRIALS trials, or in those that are left
 */
export function arrange<Ad extends Placed>(
  pod: readonly Ad[],
  competes: (a: Ad, b: Ad) => boolean,
  trials: Trials = { left: MAX_TRIALS },
): readonly Ad[] | undefined {
  const slotted = pod.filter(({ slot }) => slot !== undefined);
  if (slotted.length === 0 && !pod.some((ad, index) => index > 0 && competes(ad, pod[index - 1] as Ad))) return pod;
  if (trials.left <= 0) return undefined;
  const least = Math.max(0, trials.left - MAX_TRIALS);
  // Comparing them is work, too.
  trials.left -= pod.length;
  const rows = pod.map((ad) => pod.map((other) => competes(ad, other)));
  const kinds = kindsOf(rows);
  /** How many of each kind are left, if they compete with each other. */
  const rivals = new Map<number, number>();
  for (const [ad, kind] of kinds.entries()) if (rows[ad]?.[ad]) rivals.set(kind, (rivals.get(kind) ?? 0) + 1);
  const order: number[] = [];
  const isLeft = pod.map(() => true);
  const failed = new Set<string>();

  /** Whether no kind of competitors is more than every second one of the ads that are left. */
  const canAlternate = (last: number | undefined): boolean => {
    const count = pod.length - order.length;
    for (const [kind, number] of rivals) {
      const places = last !== undefined && rows[last]?.[kind] ? count - 1 : count;
      if (number > Math.ceil(places / 2)) return false;
    }
    return true;
  };

  const take = (ad: number, change: 1 | -1): void => {
    const kind = kinds[ad] ?? ad;
    const number = rivals.get(kind);
    if (number !== undefined) rivals.set(kind, number - change);
    isLeft[ad] = change < 0;
  };

  const firstStep = Math.min(...pod.map(({ step }) => step));
  const mayBeNext = (ad: Ad): boolean => {
    const { slot, step } = ad;
    const isFirst = order.length === 0;
    // Bids that do not open the pod have to close it.
    const others = isFirst ? slotted.filter((other) => other !== ad) : [];
    if (others.length > 1 || others.some((other) => other.slot === 'first')) return false;
    if (slot === undefined || (slot !== 'first' && order.length === pod.length - 1)) return true;
    return isFirst && slot !== 'last' && step === firstStep;
  };

  const search = (last: number | undefined): boolean => {
    if (order.length === pod.length) return true;
    // The same ads are left whichever of a kind were taken: always the first ones.
    const state = `${last === undefined ? '' : kinds[last]} ${isLeft.map(Number).join('')}`;
    if (failed.has(state) || !canAlternate(last)) return false;
    const nextInSequence = pod.findIndex((ad, index) => ad.isInSequence && isLeft[index]);
    const end = nextInSequence < 0 ? pod.length : nextInSequence + 1;
    const tried = new Set<number>();
    for (const [ad, one] of pod.entries()) {
      const isBehind = ad >= end && (one.slot === undefined || order.length > 0);
      if (isBehind || !isLeft[ad] || (last !== undefined && rows[last]?.[ad]) || !mayBeNext(one)) continue;
      // An ad with a sequence or a slot cannot be exchanged with others of its kind.
      const kind = ad === nextInSequence || one.slot !== undefined ? -1 - ad : (kinds[ad] ?? ad);
      if (tried.has(kind)) continue;
      if (trials.left <= least) return false;
      trials.left -= 1;
      tried.add(kind);
      order.push(ad);
      take(ad, 1);
      if (search(ad)) return true;
      order.pop();
      take(ad, -1);
    }
    failed.add(state);
    return false;
  };

  return search(undefined) ? order.map((ad) => pod[ad] as Ad) : undefined;
}

/** For each ad, the first one that competes with the same others. */
function kindsOf(rows: readonly (readonly boolean[])[]): number[] {
  const firsts = new Map<string, number>();
  return rows.map((row, ad) => {
    const key = row.map(Number).join('');
    const first = firsts.get(key) ?? ad;
    firsts.set(key, first);
    return first;
  });
}
