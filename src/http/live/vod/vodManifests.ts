// SPDX-License-Identifier: Apache-2.0
// The manifests of VoD sessions. They list everything from start to end and never change.

import { LRUCache } from 'lru-cache';
import { writeStaticMpd } from '../../../dash/write/writeMpd.ts';
import { AppError } from '../../../errors.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { writeVodMedia } from '../../../hls/writeVodMedia.ts';
import { REPORT_INTERVAL_MS } from '../../../time/reportInterval.ts';
import type { Presentation } from '../../../vod/layOut.ts';
import { resumeTime } from '../../../vod/resumeTime.ts';
import { checkFormat } from '../checkFormat.ts';
import { sessionNotFound } from '../findViewer.ts';
import type { PlayerDeps, PlayerRequest } from '../playerRequest.ts';
import { MPD, MPEGURL } from '../reply.ts';
import { replyManifest } from '../response/replyManifest.ts';
import type { FoundVod } from './findVod.ts';

// The bytes of manifests that were requested again: they never change, and some clients read them repeatedly. Memory is limited,
// and nothing is displaced before its time: replacing large buffers all the time costs more than writing the manifests.

type ManifestMemory = {
  get(key: string): Uint8Array | undefined;
  /** Keeps the manifest from its second request on, if there is room. */
  offer(key: string, text: string): void;
  size(): number;
};

const TTL_MS = 30_000;
/** Searching for manifests that can be discarded takes as long as writing one. */
const PURGE_INTERVAL_MS = 1000;
const MAX_KEYS = 20_000;

/** @param maxBytes of all manifests together */
function createManifestMemory(maxBytes: number): ManifestMemory {
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length,
    ttl: TTL_MS,
  });
  let purgedAt = Number.NEGATIVE_INFINITY;
  const requested = new LRUCache<string, true>({ max: MAX_KEYS, ttl: TTL_MS });
  return {
    get: (key) => kept.get(key),
    size: () => kept.size,
    offer(key, text) {
      if (!requested.has(key)) return void requested.set(key, true);
      if (kept.calculatedSize + text.length > maxBytes && performance.now() - purgedAt > PURGE_INTERVAL_MS) {
        kept.purgeStale();
        purgedAt = performance.now();
      }
      if (kept.calculatedSize + text.length <= maxBytes) kept.set(key, Buffer.from(text, 'latin1'));
    },
  };
}

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
