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

/** @returns the URL of the MPD of a new session */
/** Opens a session as an application does. @returns the URL of its manifest */
export async function openView(liveUrl: string, format: 'hls' | 'dash', channel: string, key = 'key'): Promise<string> {
  const response = await fetch(`${liveUrl}/${format}/view/${channel}?api-key=${key}`);
  if (!response.ok) throw new Error(`${channel}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { mediaURL: string }).mediaURL;
}

export async function openDash({ clock, liveUrl, channel, apiKey, query = '' }: SessionOpening): Promise<string> {
  const view = await readWhenReady(clock, `${liveUrl}/dash/view/${channel}?api-key=${apiKey}&${query}`);
  const { mediaURL } = JSON.parse(view) as { mediaURL: string };
  await readWhenReady(clock, mediaURL);
  return mediaURL;
}

/** @returns the multivariant playlist of a new session */
export async function openSession(opening: SessionOpening): Promise<string> {
  const { clock, liveUrl, channel, apiKey, query = '', opens = 'hls' } = opening;
  const master = `${liveUrl}/hls/${channel}/master.m3u8`;
  if (opens === 'hls') return readWhenReady(clock, `${master}?api-key=${apiKey}&${query}`);
  return readWhenReady(clock, `${master}?sid=${sessionOf(await openDash(opening))}`);
}

/** The session in the URL of its MPD. */
export const sessionOf = (mediaURL: string): string => /([^/]+)\.mpd$/.exec(mediaURL)![1]!;

/** Paths of the media playlists, relative to the channel. */
export const mediaPlaylists = (multivariant: string): string[] => [
  ...new Set(
    [...multivariant.matchAll(/^(?:#EXT-X-MEDIA:.*URI="([^"]+)".*|([^#\s].*))$/gm)].map(([, a, b]) => a ?? b!),
  ),
];
