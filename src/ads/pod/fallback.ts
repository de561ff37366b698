// SPDX-License-Identifier: Apache-2.0
// Alternatives: ads of which one is shown, and the next only if those before it cannot be (a waterfall).

/**
 * The place of an ad among alternatives, outermost first: an alternative may be a wrapper that leads to several ads, or to further
 * alternatives. Groups are named by their place in the response.
 */
export type FallbackPath = readonly { readonly group: string; readonly rank: number }[];

type Placed = { readonly fallback?: FallbackPath | undefined };

/** Whether one of `shown` is an earlier alternative, so that this one is not needed. */
export const isNeedless = ({ fallback = [] }: Placed, shown: readonly Placed[]): boolean =>
  fallback.some(({ group, rank }) =>
    shown.some((one) => one.fallback?.some((other) => other.group === group && other.rank < rank)),
  );

/**
 * Puts what a part of a response contains into its place in the whole, so that the groups of several parts differ.
 * @param rank of an alternative; undefined for a part that has none
 */
export function inPlace<Of extends Placed>(one: Of, place: number, rank?: number): Of {
  const inner = (one.fallback ?? []).map(({ group, ...rest }) => ({
    group: `${place}.${rank ?? 0}.${group}`,
    ...rest,
  }));
  const fallback = rank === undefined ? inner : [{ group: `${place}`, rank }, ...inner];
  return fallback.length === 0 ? one : { ...one, fallback };
}
