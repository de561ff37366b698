// What became of every ad that came back: shown, or not shown for one plain reason. The code is for counting, the text
// for people; both are the trace's and the reports'.

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
  /** A script of its own decides whether it is an ad at all. */
  CONDITIONAL: 200,
  NOT_LINEAR: 201,
  NO_MEDIA_FILE: 403,
  CREATIVE_PREPARING: 407,
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

export type Skip = { readonly code: SkipCode; readonly text: string };

export type AdFate = { readonly outcome: 'stitched' } | ({ readonly outcome: 'skipped' } & Skip);

export const stitched: AdFate = { outcome: 'stitched' };
export const skipped = (code: SkipCode, text: string): AdFate => ({ outcome: 'skipped', code, text });

/** A media file that is not where its URL says, or does not come in time; undefined for one that came. */
function fetchError(text: string): number | undefined {
  if (/did not answer (completely|in time)|did not accept|stopped sending/.test(text)) return 402;
  return /could not be fetched: (?!sent )|answered [45]\d\d/.test(text) ? 401 : undefined;
}

/**
 * The VAST error code for a skipped ad, or undefined when nobody is to be told.
 * @param text the reason, where there is one: of a creative that failed it says how
 */
export const vastErrorOf = (code: SkipCode, text = ''): number | undefined =>
  (code === 'CREATIVE_FAILED' ? fetchError(text) : undefined) ?? (vastErrors[code] || undefined);
