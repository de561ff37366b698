// SPDX-License-Identifier: Apache-2.0
// Which records cannot be replayed, because there was no ad response for a break. Pure.
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { isBreak } from '../../../sessions/history/breakFill.ts';

/** @returns sentences for the operator; undefined if the record can be replayed */
export function whyNotReplayed(record: BreakRecord): string | undefined {
  const { id, request, response, reason, position, ads } = record;
  if (!isBreak(record))
    return `Record "${id}" is the ad response of the whole session, not a break. Replay the breaks that it names.`;
  if (ads.some(({ outcome }) => outcome === 'stitched')) return undefined;
  // Records of versions that stored no requests have a response.
  if (request === undefined && response === undefined)
    return `Break "${id}" has no ad response to replay, because its ads were not requested${reason === undefined ? '.' : `: ${reason.text}`}`;
  if (response === undefined && request?.error === undefined && position?.origin === 'vmap')
    return `Break "${id}" was named by the ad response of the whole session, which its record does not repeat, and showed no ads that could be replayed.`;
  return undefined;
}
