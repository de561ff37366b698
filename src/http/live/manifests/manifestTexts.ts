// SPDX-License-Identifier: Apache-2.0
// The texts of manifests: what a viewer sees, in the format of the player.
import type { Parts } from '../../../cache/sharedText.ts';
import { type MpdFrame, mpdAround } from '../../../dash/write/writeMpd.ts';
import { writeDelta } from '../../../hls/delta/writeDelta.ts';
import { hasDeltas } from '../../../hls/skipBoundary.ts';
import { writeMedia } from '../../../hls/writeMedia.ts';
import { writeStrips } from '../../../hls/writeStrips.ts';
import { shiftOf, type View, windowOf } from '../../../playback/view/view.ts';
import { updatedDepth } from '../../../playback/viewers/depths.ts';
import { hasPatches, locationOf } from './mpdPatch.ts';
import { periodsOf } from './periodsOf.ts';

/** The same for the whole session, because Shaka Player 5.2 reads it from the first playlist only. */
const formOf = ({ viewer, airing }: View): 'plain' | 'full' =>
  hasDeltas(updatedDepth(viewer.session, airing), airing.ladder) ? 'full' : 'plain';

export function mediaPlaylistOf(view: View, rung: number): string | Parts {
  const { airing, choices, strips, from, to } = view;
  const { ladder, channel } = airing;
  const announces = channel.announceAds !== false;
  const form = formOf(view);
  if (strips !== undefined) return writeStrips({ strips, from, to }, rung, ladder, choices, announces, form);
  const window = windowOf(view);
  return writeMedia(window, rung, ladder, shiftOf(view, window), announces, form);
}

/** The delta update of a media playlist; the playlist where there is none. */
export function mediaDeltaOf(view: View, rung: number): string | Parts {
  if (formOf(view) === 'plain') return mediaPlaylistOf(view, rung);
  const { ladder, channel } = view.airing;
  const window = windowOf(view);
  const delta = writeDelta(window, rung, ladder, shiftOf(view, window), channel.announceAds !== false);
  return delta ?? mediaPlaylistOf(view, rung);
}

/** @param clockUrl at which players read the server's clock. @param baseUrl of relative segment URLs, relative to the MPD */
export function mpdOf(view: View, { clockUrl, baseUrl }: Pick<MpdFrame, 'clockUrl' | 'baseUrl'>): string {
  const { airing, now, depth, viewer } = view;
  const { ladder, programme, channel } = airing;
  const { session } = viewer;
  // Constant for a session: players read it once, and EXT-X-START has the same value in HLS.
  const startDelay = session.start === undefined ? 0 : session.openedAt - session.start - programme.lag;
  const frame = {
    ladder,
    availabilityStart: programme.startedAt,
    clockOffset: programme.lag,
    ...{ now, depth, startDelay, clockUrl, baseUrl },
    announces: channel.announceAds !== false,
  };
  const periods = periodsOf(view, frame);
  if (!hasPatches(view)) return mpdAround(periods.text, frame);
  return mpdAround(periods.text, frame, { id: session.id, location: locationOf(view, periods, baseUrl) });
}
