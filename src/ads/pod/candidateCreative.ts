// SPDX-License-Identifier: Apache-2.0
import { type CreativeState, failureText, preparingText } from '../creative/creative.ts';
import { type AdOutcome, type SkipCode, skipped } from './adOutcome.ts';

/** `none`: the ad has no media file that can be shown. `code` defaults to NO_MEDIA_FILE. */
export type CandidateCreative =
  | CreativeState
  | { readonly state: 'none'; readonly reason: string; readonly code?: SkipCode };

/** Why an ad whose creative is not ready is not shown. */
export function unready(creative: Exclude<CandidateCreative, { state: 'ready' }>): AdOutcome {
  if (creative.state === 'none') return skipped(creative.code ?? 'NO_MEDIA_FILE', creative.reason);
  if (creative.state === 'failed')
    return skipped('CREATIVE_FAILED', `Its creative ${failureText(creative)}`, creative.fault);
  if (creative.failure === undefined) return skipped('CREATIVE_PREPARING', `Its creative ${preparingText(creative)}.`);
  const text = `Its creative failed and is being tried again now: ${creative.failure.reason}`;
  return skipped('CREATIVE_FAILED', text, creative.failure.fault);
}
