// SPDX-License-Identifier: Apache-2.0
import type { Session } from '../../sessions/session.ts';

/** The URLs of a session in a format. @param liveUrl of the live port */
export function sessionLinks(liveUrl: string, { id, channelId }: Session, format: Session['format']) {
  const base = `${liveUrl}/${format}/${encodeURIComponent(channelId)}`;
  const manifest =
    format === 'dash'
      ? { mediaURL: `${base}/${id}.mpd`, vastURL: `${base}/${id}/vast` }
      : { mediaURL: `${base}/master.m3u8?sid=${id}`, vastURL: `${base}/${id}/vast.xml` };
  return { ...manifest, sessionId: id, trackingURL: `${liveUrl}/tracking/${id}` };
}
