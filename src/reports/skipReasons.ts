// SPDX-License-Identifier: Apache-2.0
// A description of every reason for skipping an ad. Traces contain the same codes (ads/pod/adOutcome.ts).
import type { SkipCode } from '../ads/pod/adOutcome.ts';

export const skipReasons: Readonly<Record<SkipCode, string>> = {
  VAST_UNREADABLE: 'the VAST response was not valid',
  WRAPPER_FAILED: 'the request that a wrapper leads to failed',
  WRAPPER_TIMEOUT: 'the request that a wrapper leads to timed out',
  WRAPPER_LIMIT: 'too many nested wrappers',
  WRAPPER_LOOP: 'a wrapper leads back to a URL that was already requested',
  WRAPPER_EMPTY: 'a wrapper leads to no ad',
  WRAPPER_FORBIDS: 'a wrapper allows no further wrappers, or only one ad',
  CATEGORY_BLOCKED: 'a wrapper blocks the category of the ad',
  FALLBACK_FORBIDDEN: 'a fallback of a wrapper with fallbackOnNoAd="false"',
  FALLBACK_NOT_NEEDED: 'the ad is a fallback, and an earlier ad of its waterfall was shown',
  NEITHER_INLINE_NOR_WRAPPER: 'the ad contains neither InLine nor Wrapper',
  CONDITIONAL: 'the ad is a conditional ad, which requires a script in the player',
  NOT_LINEAR: 'the ad has no linear creative',
  NO_MEDIA_FILE: 'the ad has no media file that can be used',
  CREATIVE_PREPARING: 'the creative was still being conditioned',
  CREATIVE_FAILED: 'the creative could not be conditioned',
  CREATIVE_TOO_SHORT: 'the creative is too short',
  CREATIVE_REPEATED: 'the creative is already in the same break',
  SHOWN_LATELY: "the creative was in one of the viewer's last breaks, and another ad was available",
  MAX_ADS_REACHED: 'the break already has the maximum number of ads',
  BREAK_DURATION_EXCEEDED: 'the ad is longer than the break',
  REMAINDER_TOO_SHORT: 'the ad is longer than the remaining time of the break',
  FIXED_LENGTH: 'the creative is used as it is, and can be neither trimmed nor extended to end with the break',
  BREAK_FULL: 'the break was already full',
};
