// SPDX-License-Identifier: Apache-2.0
// The figures of `bench:prefetch`, from what a channel's viewers were shown and what was requested for them. Pure.

export type Visit = {
  readonly viewer: string;
  readonly session: string;
  readonly from: number;
  /** The last request for a playlist. */
  until: number;
  /** Until the end of the run. */
  readonly isLast: boolean;
};

export type TracedPrefetch = readonly {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly prefetched?: true;
  readonly ads: readonly { readonly outcome: string; readonly startsAt?: string }[];
}[];

export type PrefetchFacts = {
  readonly visits: readonly Visit[];
  readonly traced: readonly TracedPrefetch[];
  /** When each break was added, in order. The creatives of every second one are new. */
  readonly startsAt: readonly number[];
  readonly requests: readonly { readonly viewer: string; readonly breakId: string }[];
};

/** `first`: those who saw their own ad at the first segment, of `viewers` who were watching before and after its start. */
export type FirstSegments = { readonly viewers: number; readonly first: number };

export type PrefetchRun = {
  readonly known: FirstSegments;
  readonly fresh: FirstSegments;
  readonly requests: number;
  readonly viewerHours: number;
  /** Prefetched responses that a break used, and those that no break can use any more. */
  readonly used: number;
  readonly unused: number;
};

/** A break starts at the first segment border after it was added. */
const BORDER = 6000;
/** Viewers who leave earlier have not seen the first segment. */
const SEEN = 16_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export function countPrefetch({ visits, traced, startsAt, requests }: PrefetchFacts): PrefetchRun {
  const firstOf = (index: number, start: number): boolean => {
    const one = traced[index]!.find(({ at }) => at >= start - BORDER && at <= start + BORDER);
    const shown = one?.ads.filter(({ outcome }) => outcome === 'stitched') ?? [];
    return shown.some((ad) => Math.abs(Date.parse(ad.startsAt!) - one!.at) < 100);
  };
  const count = (isFresh: boolean): FirstSegments => {
    const starts = startsAt.filter((_, index) => (index % 2 === 1) === isFresh);
    const watched = starts.flatMap((start) =>
      visits.flatMap((visit, index) =>
        visit.from < start && visit.until > start + SEEN ? [firstOf(index, start)] : [],
      ),
    );
    return { viewers: watched.length, first: watched.filter(Boolean).length };
  };
  const ahead = visits.map((visit, index) => {
    const own = requests.filter(({ viewer, breakId }) => viewer === visit.viewer && breakId.startsWith('prefetch-'));
    const used = traced[index]!.filter(({ prefetched }) => prefetched).length;
    // The next break may use it.
    const ready = visit.isLast && own.length > used ? 1 : 0;
    return { used, unused: own.length - used - ready };
  });
  return {
    ...{ known: count(false), fresh: count(true), requests: requests.length },
    viewerHours: sum(visits.map((visit) => visit.until - visit.from)) / 3_600_000,
    ...{ used: sum(ahead.map(({ used }) => used)), unused: sum(ahead.map(({ unused }) => unused)) },
  };
}
