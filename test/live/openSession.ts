// Opens a session as a player does, and patiently: a channel that was made a moment ago is being prepared.
import type { TestClock } from '../clock/testClock.ts';
import type { Watching } from './viewer.ts';

/** Milliseconds for which an answer may mean that the channel is still to come. */
const PATIENCE = { 404: 10_000, 503: 600_000 };

/** The body of an address once the channel plays; @throws when it does not in time */
async function readWhenReady(clock: TestClock, url: string): Promise<string> {
  const started = clock.now();
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.ok) return text;
    const elapsed = clock.now() - started;
    // A channel that was created a moment ago may not be known yet; then it is being prepared.
    const isComing = (response.status === 503 || response.status === 404) && elapsed < PATIENCE[response.status];
    if (!isComing) throw new Error(`${url} answered ${response.status}: ${text}`);
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
}: Watching): Promise<string> {
  const asked = `api-key=${apiKey}&${query}`;
  const master = `${liveUrl}/hls/${channel}/master.m3u8`;
  if (opens === 'hls') return readWhenReady(clock, `${master}?${asked}`);
  const { mediaURL } = JSON.parse(await readWhenReady(clock, `${liveUrl}/dash/view/${channel}?${asked}`)) as {
    mediaURL: string;
  };
  const session = /([^/]+)\.mpd$/.exec(mediaURL)![1]!;
  return readWhenReady(clock, `${master}?sid=${session}`);
}

/** Their addresses, below the channel's. */
export const mediaPlaylists = (multivariant: string): string[] => [
  ...new Set(
    [...multivariant.matchAll(/^(?:#EXT-X-MEDIA:.*URI="([^"]+)".*|([^#\s].*))$/gm)].map(([, a, b]) => a ?? b!),
  ),
];
