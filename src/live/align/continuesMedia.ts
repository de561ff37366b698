// SPDX-License-Identifier: Apache-2.0
import { FLICKS_PER_SECOND, flicks, flicksToTicks } from '../../time/units.ts';
import type { OriginSegment } from '../origin.ts';

type Timed = Pick<OriginSegment, 'mediaTime' | 'duration'>;

/** Durations of playlists are rounded, and media times are counted from them for up to a minute. */
const TOLERANCE = flicks(FLICKS_PER_SECOND / 2);

/**
 * Whether the media of a segment continue those of the one before it. Encoders jump without an EXT-X-DISCONTINUITY (RFC 8216
 * §4.3.2.3), and MPDs without a Period. Times that are not known continue.
 */
export function continuesMedia(before: Timed | undefined, segment: Timed | undefined, timescale?: number): boolean {
  if (timescale === undefined || before?.mediaTime === undefined || segment?.mediaTime === undefined) return true;
  const expected = before.mediaTime + flicksToTicks(before.duration, timescale);
  return Math.abs(segment.mediaTime - expected) <= flicksToTicks(TOLERANCE, timescale);
}
