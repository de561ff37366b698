// SPDX-License-Identifier: Apache-2.0
// Opens a session as a player does. It waits while a new channel is being prepared.
import type { TestClock } from '../clock/testClock.ts';

export type SessionOpening = {
  readonly clock: TestClock;
  readonly liveUrl: string;
  readonly channel: string;
  readonly apiKey: string;
  /** More query parameters of the opening request, such as `viewer=anna`. */
  readonly query?: string;
  /** The format that opens the session; default `hls`. */
  readonly opens?: 'hls' | 'dash';
};

/** How long a status may mean that the channel is not ready yet, in milliseconds. */
const RETRY_MS = { 404: 10_000, 503: 600_000 };

/** Retries a URL until the channel is ready. @returns the body. @throws on any other status, and on a timeout */
async function readWhenReady(clock: TestClock, url: string): Promise<string> {
  const started = clock.now();
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.ok) return text;
    const elapsed = clock.now() - started;
    // A new channel returns 404 until the node has read it, and 503 while it is being prepared.
    const isNotReadyYet = (response.status === 503 || response.status === 404) && elapsed < RETRY_MS[response.status];
    if (!isNotReadyYet) throw new Error(`${url} returned ${response.status}: ${text}`);
    await clock.sleep(250);
  }
}

/** @returns the multivariant playlist of a new session */
export async function openSession({
  clock,
  liveUrl,
  channel,
  apiKey,
  query = '',
  opens = 'hls',
}: SessionOpening): Promise<string> {
  const parameters = `api-key=${apiKey}&${query}`;
  const master = `${liveUrl}/hls/${channel}/master.m3u8`;
  if (opens === 'hls') return readWhenReady(clock, `${master}?${parameters}`);
  const { mediaURL } = JSON.parse(await readWhenReady(clock, `${liveUrl}/dash/view/${channel}?${parameters}`)) as {
    mediaURL: string;
  };
  const session = /([^/]+)\.mpd$/.exec(mediaURL)![1]!;
  return readWhenReady(clock, `${master}?sid=${session}`);
}

/** Paths of the media playlists, relative to the channel. */
export const mediaPlaylists = (multivariant: string): string[] => [
  ...new Set(
    [...multivariant.matchAll(/^(?:#EXT-X-MEDIA:.*URI="([^"]+)".*|([^#\s].*))$/gm)].map(([, a, b]) => a ?? b!),
  ),
];
