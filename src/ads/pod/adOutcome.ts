// SPDX-License-Identifier: Apache-2.0
// The outcome of each returned ad: stitched, or skipped for one reason. Reports count the code; traces also show the text.
import { withoutUndefined } from '../../invariant.ts';
import { type CreativeFault, vastErrorOfFault } from '../creative/creative.ts';

/**
 * The reasons for not showing an ad, with the VAST error code for its Error URLs (VAST 4.2 §2.3.6.3); 0 when the ad is
 * not at fault and no Error URL is requested.
 */
const vastErrors = {
  // reading the response
  VAST_UNREADABLE: 100,
  WRAPPER_FAILED: 300,
  WRAPPER_TIMEOUT: 301,
  WRAPPER_LIMIT: 302,
  WRAPPER_LOOP: 302,
  WRAPPER_EMPTY: 303,
  /** A wrapper, or a second ad, behind a wrapper that does not allow it (§3.19). */
  WRAPPER_FORBIDS: 300,
  CATEGORY_BLOCKED: 205,
  /** A stand-alone ad next to a wrapper that allows no fallback (§3.19, fallbackOnNoAd). */
  FALLBACK_FORBIDDEN: 0,
  /** Another ad of the same waterfall is shown. */
  FALLBACK_NOT_NEEDED: 0,
  // choosing its creative
  /** An Ad must contain one of the two, so the document violates the schema. */
  NEITHER_INLINE_NOR_WRAPPER: 101,
  /** A script decides whether there is an ad. */
  CONDITIONAL: 200,
  NOT_LINEAR: 201,
  NO_MEDIA_FILE: 403,
  CREATIVE_PREPARING: 407,
  /** The fault has the details. */
  CREATIVE_FAILED: 405,
  CREATIVE_TOO_SHORT: 202,
  CREATIVE_REPEATED: 0,
  /** The viewer saw the ad in a recent break, and other ads were available. */
  SHOWN_LATELY: 0,
  // filling the break
  MAX_ADS_REACHED: 0,
  BREAK_DURATION_EXCEEDED: 202,
  REMAINDER_TOO_SHORT: 0,
  /** The creative is used as is, and the break would require cutting or extending it by a few frames. */
  FIXED_LENGTH: 0,
  BREAK_FULL: 0,
  // the channel's rules
  ADVERTISER_BLOCKED: 0,
  /** The channel blocks the category; CATEGORY_BLOCKED: a wrapper does. */
  CATEGORY_EXCLUDED: 0,
  CREATIVE_BLOCKED: 0,
  LANGUAGE_BLOCKED: 0,
  COMPETITOR_IN_BREAK: 0,
  COMPETITOR_ADJACENT: 0,
  ADVERTISER_LIMIT: 0,
  FREQUENCY_CAP: 0,
  HOOK_DROPPED: 0,
  // prices
  /** The ads that fill the break pay more together. */
  OUTBID: 0,
  /** The bid is only for the first or last place of the break. */
  POSITION_TAKEN: 0,
  BELOW_FLOOR: 0,
  BID_INVALID: 0,
  BID_CURRENCY: 0,
} as const;

export type SkipCode = keyof typeof vastErrors;

export const isSkipCode = (code: string): code is SkipCode => Object.hasOwn(vastErrors, code);

export type Skip = {
  readonly code: SkipCode;
  readonly text: string;
  /** Only if the creative failed. */
  readonly fault?: CreativeFault;
};

export type AdOutcome = { readonly outcome: 'stitched' } | ({ readonly outcome: 'skipped' } & Skip);

export const stitched: AdOutcome = { outcome: 'stitched' };
export const skipped = (code: SkipCode, text: string, fault?: CreativeFault): AdOutcome => {
  return { outcome: 'skipped', code, text, ...withoutUndefined({ fault }) };
};

export const isBesideCompetitor = (outcome: AdOutcome): boolean =>
  outcome.outcome === 'skipped' && outcome.code === 'COMPETITOR_ADJACENT';

/** Whether the ad was skipped because of the ads before it. */
export const isFull = (outcome: AdOutcome): boolean =>
  outcome.outcome === 'skipped' && ['BREAK_FULL', 'MAX_ADS_REACHED', 'REMAINDER_TOO_SHORT'].includes(outcome.code);

/** The VAST error code for a skipped ad; undefined when no Error URL is requested. */
export const vastErrorOf = (code: SkipCode, fault?: CreativeFault): number | undefined =>
  (fault === undefined ? vastErrors[code] : vastErrorOfFault(fault)) || undefined;

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

/** Puts a part of a response into its place in the whole. @param rank of an alternative; undefined for others */
export function inPlace<Of extends Placed>(one: Of, place: number, rank?: number): Of {
  const inner = (one.fallback ?? []).map(({ group, ...rest }) => ({
    group: `${place}.${rank ?? 0}.${group}`,
    ...rest,
  }));
  const fallback = rank === undefined ? inner : [{ group: `${place}`, rank }, ...inner];
  return fallback.length === 0 ? one : { ...one, fallback };
}
