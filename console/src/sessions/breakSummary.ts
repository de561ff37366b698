// SPDX-License-Identifier: Apache-2.0
// A viewer's break in short: its ads, why ads were skipped, and how the time was used.
import type { TracedAd, TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { DeepReadonly } from '../../../src/http/contract/matching.ts';
import type { Statuses } from '../components/feedback/Badge.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';

export const breakStatuses: Statuses<TracedBreak['status']> = {
  filled: ['good', 'Filled'],
  partial: ['warn', 'Partly filled'],
  empty: ['bad', 'Empty'],
};

/** Less slate than this is not mentioned. Seconds. */
const MIN_SLATE = 0.05;
/** Players lag behind the live edge and fetch a segment at a time. Milliseconds. */
const MAX_PLAYER_LAG_MS = 40_000;

/** Seconds of the break that contain ads. */
export const filledSeconds = ({
  duration,
  slate,
  content = 0,
  bumpers = 0,
}: Pick<TracedBreak, 'duration' | 'slate' | 'content' | 'bumpers'>): number =>
  Math.max(0, Math.round((duration - slate - content - bumpers) * 1000) / 1000);

/** `2 ads, 1 skipped, 20 s slate` (or content of the origin), or the reason for a break without ads. */
export function breakSummary(one: DeepReadonly<Pick<TracedBreak, 'ads' | 'reason' | 'slate' | 'content'>>): string {
  const stitched = one.ads.filter(({ outcome }) => outcome === 'stitched').length;
  if (stitched === 0) return one.reason?.text ?? 'No ads shown.';
  const skipped = one.ads.length - stitched;
  return [
    plural(stitched, 'ad'),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(one.slate >= MIN_SLATE ? [`${formatDuration(one.slate)} slate`] : []),
    ...(one.content === undefined ? [] : [`${formatDuration(one.content)} content`]),
  ].join(', ');
}

/** Why an ad was skipped or cut; undefined for an ad that was shown completely. */
export const adReason = ({ outcome, reason }: TracedAd): string | undefined =>
  reason?.text ?? (outcome === 'stitched' ? undefined : 'No reason recorded.');

export type AdStatus = 'delivered' | 'scheduled' | 'notFetched' | 'skipped' | 'outbid';

/**
 * A stitched ad counts as delivered only once the player has fetched some of it.
 * @param now milliseconds; undefined for VoD, where the viewer may still come to the ad
 */
export function adStatus(
  { outcome, reason, startsAt, duration, delivered }: TracedAd,
  now: number | undefined,
): AdStatus {
  if (outcome === 'skipped') return reason?.code === 'OUTBID' ? 'outbid' : 'skipped';
  if (delivered === undefined || delivered.seconds > 0) return 'delivered';
  if (now === undefined) return 'scheduled';
  const isOver = startsAt === undefined || Date.parse(startsAt) + duration * 1000 + MAX_PLAYER_LAG_MS < now;
  return isOver ? 'notFetched' : 'scheduled';
}

export type BreakShare = { readonly kind: 'ad' | 'bumper' | 'slate'; readonly percent: number; readonly name: string };

/** The parts of a break to scale: its ads in order, then bumpers and slate. */
export function breakShares(one: TracedBreak): BreakShare[] {
  const share = (kind: BreakShare['kind'], seconds: number, name: string): BreakShare => ({
    kind,
    name,
    percent: one.duration === 0 ? 0 : (seconds / one.duration) * 100,
  });
  const { ads, bumpers = 0, slate } = one;
  return [
    ...ads
      .filter(({ outcome }) => outcome === 'stitched')
      .map((ad) => share('ad', ad.shown ?? ad.duration, ad.title ?? ad.adId)),
    ...(bumpers > 0 ? [share('bumper', bumpers, 'Bumpers')] : []),
    ...(slate > 0 ? [share('slate', slate, 'Slate')] : []),
  ];
}
