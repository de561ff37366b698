// SPDX-License-Identifier: Apache-2.0
// The orders of the ads of a break: the one in which they are tried, and the one in which they are shown.
import type { CreativeState } from '../creative/creative.ts';
import type { FallbackPath } from './adOutcome.ts';

/** What determines the place of a candidate. */
export type PodPosition = {
  /** The step of the ad source that offered it; 0 when absent. */
  readonly step?: number;
  /** Position in the ad server's pod; absent for a stand-alone ad (VAST 4.2 §3.3.1). */
  readonly sequence?: number;
  /** Absent unless it is one of several alternatives. */
  readonly fallback?: FallbackPath;
  /** Shown again in what all candidates leave free, if the break is not inserted; not with `repeats: drop`. */
  readonly isFiller?: true;
};

type Candidate = PodPosition & { readonly creative: CreativeState | { readonly state: 'none' } };

export type Trial<One> = {
  readonly one: One;
  readonly index: number;
  readonly isSeen: boolean;
  readonly step: number;
  /** In the order of trials. */
  readonly place: number;
};

/**
 * The order in which candidates are tried, by step; equal ones keep the order of the response. Alternatives are tried together,
 * when it is the turn of the first of them that is ready.
 */
export function trialOrder<One extends Candidate>(
  candidates: readonly One[],
  seenSince: (mediaId: string) => number | undefined = () => undefined,
): Trial<One>[] {
  const firstReady = new Map<string, One>();
  for (const one of candidates) {
    const [outermost] = one.fallback ?? [];
    if (outermost !== undefined && one.creative.state === 'ready' && !firstReady.has(outermost.group))
      firstReady.set(outermost.group, one);
  }
  return candidates
    .map((one, index) => {
      const { sequence, creative } = firstReady.get(one.fallback?.[0]?.group ?? '') ?? one;
      const since = creative.state === 'ready' ? seenSince(creative.media.id) : undefined;
      return {
        one,
        index,
        isSeen: since !== undefined,
        since: since ?? 0,
        step: one.step ?? 0,
        sequence: sequence ?? Number.POSITIVE_INFINITY,
      };
    })
    .sort(
      (a, b) =>
        a.step - b.step ||
        Number(a.isSeen) - Number(b.isSeen) ||
        b.since - a.since ||
        compare(a.sequence, b.sequence) ||
        a.index - b.index,
    )
    .map(({ one, index, isSeen, step }, place) => ({ one, index, isSeen, step, place }));
}

/** Handles Infinity, which minus itself is NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a - b);

const sequenceOf = ({ one }: Trial<PodPosition>): number => one.sequence ?? Number.POSITIVE_INFINITY;

/** By step: ads with a sequence in that order, then stand-alone ads in the order of trials. */
export const positioned = <Placed extends Trial<PodPosition>>(ads: readonly Placed[]): Placed[] =>
  ads.toSorted(
    (a, b) =>
      a.step - b.step ||
      compare(sequenceOf(a), sequenceOf(b)) ||
      (a.one.sequence === undefined ? a.place - b.place : a.index - b.index),
  );

/** A filler is shown again so often in one break. */
const MAX_ROUNDS = 50;

/** Fillers in their order, again from the first one at the end. @param showAgain returns false if there is no room for it */
export function repeatFillers<One extends Trial<PodPosition>>(
  ads: readonly One[],
  showAgain: (one: One) => boolean,
): void {
  const fillers = ads.filter(({ one }) => one.isFiller);
  for (let round = 0; round < MAX_ROUNDS && fillers.filter(showAgain).length > 0; round += 1);
}
