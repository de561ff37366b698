// What became of every ad that came back: shown, or not shown for one plain reason. The code is for counting, the text
// for people; both are the trace's and the reports'.
import { type CreativeFault, vastErrorOfFault } from '../creative/creativeFault.ts';

/**
 * Every reason for not showing an ad, with the code that its Error URLs are told (VAST 4.2 §2.3.6.3); 0 where nothing
 * is wrong with the ad and nobody is told.
 */
const vastErrors = {
  // while the answer was read
  VAST_UNREADABLE: 100,
  WRAPPER_FAILED: 300,
  WRAPPER_TIMEOUT: 301,
  WRAPPER_LIMIT: 302,
  WRAPPER_LOOP: 302,
  WRAPPER_EMPTY: 303,
  /** Wrappers or several ads behind a wrapper that allows none (§3.19). */
  WRAPPER_FORBIDS: 300,
  CATEGORY_BLOCKED: 205,
  /** A stand-alone ad beside a wrapper that wants no substitute (§3.19, fallbackOnNoAd). */
  FALLBACK_FORBIDDEN: 0,
  // while its creative was looked at
  /** An Ad must hold one of the two: the document does not follow the schema. */
  NEITHER_INLINE_NOR_WRAPPER: 101,
  /** A script of its own decides whether it is an ad at all. */
  CONDITIONAL: 200,
  NOT_LINEAR: 201,
  NO_MEDIA_FILE: 403,
  CREATIVE_PREPARING: 407,
  /** The fault says more. */
  CREATIVE_FAILED: 405,
  CREATIVE_TOO_SHORT: 202,
  CREATIVE_REPEATED: 0,
  /** In one of the viewer's last breaks, and there was another to show. */
  SHOWN_LATELY: 0,
  // while the break was filled
  MAX_ADS_REACHED: 0,
  BREAK_DURATION_EXCEEDED: 202,
  REMAINDER_TOO_SHORT: 0,
  /** It is shown as it is, whole, and the break would have to be closed by cutting or holding a few frames. */
  FIXED_LENGTH: 0,
  BREAK_FULL: 0,
} as const;

export type SkipCode = keyof typeof vastErrors;

export const isSkipCode = (code: string): code is SkipCode => Object.hasOwn(vastErrors, code);

/** Why a break is not full although the ad server answered. */
export type ShortfallCode = 'NO_ADS' | 'NO_AD_SHOWN' | 'TOO_FEW_ADS';

export type Skip = {
  readonly code: SkipCode;
  readonly text: string;
  /** Of a creative that failed. */
  readonly fault?: CreativeFault;
};

export type AdOutcome = { readonly outcome: 'stitched' } | ({ readonly outcome: 'skipped' } & Skip);

export const stitched: AdOutcome = { outcome: 'stitched' };
export const skipped = (code: SkipCode, text: string, fault?: CreativeFault): AdOutcome => ({
  outcome: 'skipped',
  code,
  text,
  ...(fault === undefined ? {} : { fault }),
});

/** The VAST error code for a skipped ad, or undefined when nobody is to be told. */
export const vastErrorOf = (code: SkipCode, fault?: CreativeFault): number | undefined =>
  (fault === undefined ? vastErrors[code] : vastErrorOfFault(fault)) || undefined;
