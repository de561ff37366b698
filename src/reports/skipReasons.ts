// Every reason for not showing an ad, in words: the codes are those of traces (ads/pod/adOutcome.ts).
import type { SkipCode } from '../ads/pod/adOutcome.ts';

export const skipReasons: Readonly<Record<SkipCode, string>> = {
  VAST_UNREADABLE: 'what came could not be read',
  WRAPPER_FAILED: 'the server that its wrapper names failed',
  WRAPPER_TIMEOUT: 'the server that its wrapper names did not answer in time',
  WRAPPER_LIMIT: 'too many wrappers stood around it',
  WRAPPER_LOOP: 'its wrappers led back to themselves',
  WRAPPER_EMPTY: 'its wrapper led to no ad',
  WRAPPER_FORBIDS: 'its wrapper allows no further wrappers, or no more than one ad',
  CATEGORY_BLOCKED: 'its wrapper blocks its category',
  FALLBACK_FORBIDDEN: 'it stands beside a wrapper that wants no substitute',
  NEITHER_INLINE_NOR_WRAPPER: 'it holds neither InLine nor Wrapper',
  CONDITIONAL: 'a script of its own decides whether it is an ad at all',
  NOT_LINEAR: 'it has no linear creative',
  NO_MEDIA_FILE: 'it names no media file that can be shown',
  CREATIVE_PREPARING: 'its creative was still being prepared',
  CREATIVE_FAILED: 'its creative could not be prepared',
  CREATIVE_TOO_SHORT: 'its creative is too short to be shown',
  CREATIVE_REPEATED: 'its creative is in the same break already',
  SHOWN_LATELY: "it was in one of the viewer's last breaks, and there was another",
  MAX_ADS_REACHED: 'the break had as many ads as it takes',
  BREAK_DURATION_EXCEEDED: 'it is longer than the break',
  REMAINDER_TOO_SHORT: 'it is longer than what was left of the break',
  FIXED_LENGTH: 'it is shown from its own segments, which could be neither cut nor held to close the break',
  BREAK_FULL: 'the break was full',
};
