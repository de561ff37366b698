// SPDX-License-Identifier: Apache-2.0
// The response of the view routes for VoD: the URLs of the session, and its breaks on both clocks.
import type { Channel } from '../../../channels/channel.ts';
import type { VodViewer } from '../../../playback/vod/vodViewer.ts';
import type { Session } from '../../../sessions/session.ts';
import { type Flicks, flicksToMicros } from '../../../time/units.ts';
import type { Presentation } from '../../../vod/layOut.ts';
import { resumeTime } from '../../../vod/resumeTime.ts';
import type { OpenedSession } from '../../contract/airContract.ts';
import type { PlayerDeps, PlayerRequest } from '../playerRequest.ts';
import { sessionLinks } from '../sessionLinks.ts';
import { openVod } from './openVod.ts';

/** Seconds with the precision of manifests. */
const seconds = (length: Flicks): number => flicksToMicros(length) / 1e6;

function vodTimes({ session, title, adTitles }: VodViewer, presentation: Presentation) {
  const { frameRate } = title.ladder;
  const starts = new Map(presentation.spans.map(({ adId, placed }) => [adId, placed.startsAt - session.openedAt]));
  const startOf = (adId: string): number => starts.get(adId)! / 1000;
  const start = resumeTime(presentation, session.vod?.resumeAt);
  return {
    durationSeconds: seconds(presentation.duration),
    contentDurationSeconds: seconds(presentation.contentDuration),
    ...(start === undefined ? {} : { startSeconds: seconds(start) }),
    breaks: presentation.breaks.map(({ id, contentTime, streamTime, duration, ads }) => ({
      id,
      contentTime: seconds(contentTime),
      streamTime: seconds(streamTime),
      duration: seconds(duration),
      ads: ads.map(({ adId, frames }) => ({
        id: adId,
        ...(adTitles?.has(adId) ? { title: adTitles.get(adId)! } : {}),
        streamTime: startOf(adId),
        duration: Math.round((1e6 * frames * frameRate.d) / frameRate.n) / 1e6,
      })),
    })),
  };
}

/** Opens a session and waits until its ads are decided. In DASH, an MPD anchor (ISO/IEC 23009-1 Annex C.4) contains the start. */
export async function openVodView(
  deps: PlayerDeps,
  channel: Channel,
  incoming: PlayerRequest,
  format: Session['format'],
): Promise<OpenedSession> {
  const viewer = await openVod(deps, channel, incoming, format);
  const times = vodTimes(viewer, await deps.vod.presentations.settled(channel, viewer));
  const links = sessionLinks(deps.liveUrl(incoming.request), viewer.session, format);
  const anchor = format === 'dash' && times.startSeconds ? `#t=${times.startSeconds}` : '';
  return { ...links, mediaURL: links.mediaURL + anchor, ...times };
}
