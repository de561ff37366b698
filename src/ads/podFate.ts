// What became of every ad that came back: shown, or not shown for one plain reason. The code is for counting, the text
// for people; both are the trace's and the reports'.

export type SkipCode =
  // while the answer was read
  | 'VAST_UNREADABLE'
  | 'NOT_LINEAR'
  | 'WRAPPER_TIMEOUT'
  | 'WRAPPER_FAILED'
  | 'WRAPPER_LIMIT'
  | 'WRAPPER_LOOP'
  | 'WRAPPER_EMPTY'
  | 'WRAPPER_MULTIPLE_ADS'
  | 'NOT_NEEDED'
  // while its creative was looked at
  | 'NO_MEDIA_FILE'
  | 'CREATIVE_PREPARING'
  | 'CREATIVE_FAILED'
  | 'CREATIVE_TOO_SHORT'
  | 'CREATIVE_REPEATED'
  // while the break was filled
  | 'MAX_ADS_REACHED'
  | 'BREAK_DURATION_EXCEEDED'
  | 'REMAINDER_TOO_SHORT'
  | 'BREAK_FULL';

/** Why a break is not full although the ad server answered. */
export type ShortfallCode = 'NO_ADS' | 'NO_AD_SHOWN' | 'TOO_FEW_ADS';

export type Skip = { readonly code: SkipCode; readonly text: string };

export type AdFate = { readonly outcome: 'stitched' } | ({ readonly outcome: 'skipped' } & Skip);

export const stitched: AdFate = { outcome: 'stitched' };
export const skipped = (code: SkipCode, text: string): AdFate => ({ outcome: 'skipped', code, text });
