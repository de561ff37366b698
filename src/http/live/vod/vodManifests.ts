// SPDX-License-Identifier: Apache-2.0
// The manifests of VoD sessions. They list everything from start to end and never change.
import { writeStaticMpd } from '../../../dash/write/writeStaticMpd.ts';
import { AppError } from '../../../errors.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { writeVodMedia } from '../../../hls/writeVodMedia.ts';
import { REPORT_INTERVAL_MS } from '../../../reports/event.ts';
import type { Presentation } from '../../../vod/layOut.ts';
import { resumeTime } from '../../../vod/resumeTime.ts';
import { checkFormat } from '../checkFormat.ts';
import { sessionNotFound } from '../findViewer.ts';
import type { PlayerDeps, PlayerRequest } from '../playerRequest.ts';
import { MPD, MPEGURL } from '../reply.ts';
import { replyManifest } from '../response/replyManifest.ts';
import type { FoundVod } from './findVod.ts';
import { createManifestMemory } from './manifestMemory.ts';

const MAX_BYTES = 64 * 2 ** 20;

/** Waits until the session's ads are decided, and records that the session is watched. */
async function presentationOf(
  deps: PlayerDeps,
  { viewer, channel }: FoundVod,
  incoming: PlayerRequest,
): Promise<Presentation> {
  const now = deps.now();
  const { session } = viewer;
  if (incoming.manifest !== undefined) incoming.manifest.tenant = channel.tenant;
  if (!(await deps.viewers.watch(viewer, now))) throw sessionNotFound(session.id);
  const interval = Math.floor(now / REPORT_INTERVAL_MS);
  if (viewer.countedInterval !== interval) {
    viewer.countedInterval = interval;
    deps.observe?.watched(session, now);
  }
  return deps.vod.presentations.settled(channel, viewer);
}

/** GET /hls/:channelId/master.m3u8, which waits for ads only if playback does not start at the beginning */
export async function sendVodMultivariant(
  deps: PlayerDeps,
  { viewer, channel }: FoundVod,
  { request, response, manifest }: PlayerRequest,
) {
  if (manifest !== undefined) manifest.tenant = channel.tenant;
  const { session, title } = viewer;
  const isResumed = session.vod?.resumeAt !== undefined;
  const offset = isResumed
    ? resumeTime(await deps.vod.presentations.settled(channel, viewer), session.vod?.resumeAt)
    : undefined;
  replyManifest(request, response, MPEGURL, writeMultivariant(title.declared, `${session.id}/`, offset), 'utf8');
}

const manifests = createManifestMemory(MAX_BYTES);
export const keptManifestCount = manifests.size;

/** @param name of the manifest within the session. @param write returns ASCII */
function sendManifest(
  { viewer: { session }, channel }: FoundVod,
  name: string,
  contentType: string,
  write: (announces: boolean) => string,
  { request, response }: PlayerRequest,
): void {
  const announces = channel.announceAds !== false;
  const key = `${session.id} ${name} ${announces}`;
  const known = manifests.get(key);
  const body = known ?? write(announces);
  if (typeof body === 'string') manifests.offer(key, body);
  replyManifest(request, response, contentType, body);
}

/** GET /hls/:channelId/:sessionId/:rung.m3u8 */
export async function sendVodMedia(deps: PlayerDeps, found: FoundVod, rungId: string, incoming: PlayerRequest) {
  const { title, session } = found.viewer;
  const rung = title.ladder.rungs.findIndex(({ id }) => id === rungId);
  if (rung < 0) {
    const hint = 'Open the multivariant playlist again.';
    throw new AppError('NOT_FOUND', `Rung "${rungId}" not found in this session. ${hint}`);
  }
  const presentation = await presentationOf(deps, found, incoming);
  const startOffset = resumeTime(presentation, session.vod?.resumeAt);
  const write = (announces: boolean) =>
    writeVodMedia(presentation.spans, rung, title.ladder, { announces, startOffset });
  sendManifest(found, rungId, MPEGURL, write, incoming);
}

/** GET /dash/:channelId/:sessionId.mpd */
export async function sendVodMpd(deps: PlayerDeps, found: FoundVod, incoming: PlayerRequest) {
  const { title, session } = found.viewer;
  checkFormat(title, 'dash');
  const { spans } = await presentationOf(deps, found, incoming);
  // Relative to the session, like media playlists: both formats list the same relative URLs.
  const baseUrl = `${encodeURIComponent(session.id)}/`;
  const write = (announces: boolean) => writeStaticMpd(spans, { ladder: title.ladder, announces, baseUrl });
  sendManifest(found, '.mpd', MPD, write, incoming);
}
