// SPDX-License-Identifier: Apache-2.0
import { AppError } from '../../errors.ts';
import type { Airing } from '../../playback/onAir/airing.ts';
import type { Session } from '../../sessions/session.ts';

/** A channel on air, or a title. */
type Shown = Pick<Airing, 'ladder' | 'signalling' | 'serves'>;

/** What the channel contains that the format cannot express; undefined if it can be shown. */
function unsupportedIn({ ladder, signalling, serves = 'both' }: Shown, format: Session['format']): string | undefined {
  if (serves !== 'both' && serves !== format)
    return `a live stream whose origin is ${serves === 'hls' ? 'HLS' : 'DASH'}`;
  const isClear = signalling === undefined || signalling === 'both';
  if (!isClear && signalling !== format) {
    return `encrypted content that is only signalled in ${signalling === 'hls' ? 'HLS' : 'DASH'}`;
  }
  if (format === 'hls') return undefined;
  if (ladder.container === 'ts') return 'MPEG-TS';
  return ladder.layout === 'muxed' ? 'audio and video in the same segments' : undefined;
}

/** @throws {AppError} CONFLICT if the channel cannot be played in this format */
export function checkFormat(shown: Shown, format: Session['format']): void {
  const feature = unsupportedIn(shown, format);
  if (feature === undefined) return;
  const [here, there] = format === 'dash' ? ['DASH', 'HLS'] : ['HLS', 'DASH'];
  throw new AppError(
    'CONFLICT',
    `This channel is not available in ${here}: it contains ${feature}. Use its ${there} playback URL.`,
  );
}
