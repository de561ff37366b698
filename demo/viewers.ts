// SPDX-License-Identifier: Apache-2.0
// Simulated viewers: each requests the playlists and segments that a player would request, in real time.
import { setTimeout as sleep } from 'node:timers/promises';
import { channelId, channelKey } from './seed.ts';

const POLL_INTERVAL_MS = 1500;
/** After a failure, such as a restart of Midroll, a viewer opens a new session. */
const REOPEN_AFTER_MS = 3000;

const uris = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** @throws when the request fails */
async function read(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response;
}
const readText = async (url: string, signal: AbortSignal): Promise<string> => (await read(url, signal)).text();

/** @throws when a request fails */
async function watch(sessionUrl: string, signal: AbortSignal): Promise<void> {
  const { mediaURL } = (await (await read(sessionUrl, signal)).json()) as { mediaURL: string };
  const playlists = uris(await readText(mediaURL, signal)).map((path) => new URL(path, mediaURL).href);
  let fetched = new Set<string>();
  while (!signal.aborted) {
    const listed = new Set<string>();
    for (const playlist of [playlists[0]!, playlists.at(-1)!]) {
      // A player stays behind the live edge, so it does not request the last segments yet.
      for (const path of uris(await readText(playlist, signal)).slice(-8, -3)) {
        const segment = new URL(path, playlist).href;
        listed.add(segment);
        if (!fetched.has(segment)) await (await read(segment, signal)).arrayBuffer();
      }
    }
    fetched = listed;
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** @param sessionUrls URLs that open a session @param delay milliseconds between two viewers @returns stops all of them */
export function startViewers(sessionUrls: readonly string[], delay: number): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const keepWatching = async (sessionUrl: string, wait: number): Promise<void> => {
    await sleep(wait, undefined, { signal });
    while (!signal.aborted) {
      await watch(sessionUrl, signal).catch(() => undefined);
      await sleep(REOPEN_AFTER_MS, undefined, { signal });
    }
  };
  sessionUrls.forEach((sessionUrl, index) => {
    keepWatching(sessionUrl, index * delay).catch(() => undefined); // only after it was stopped
  });
  return () => controller.abort();
}

/** The two viewers that the demo has from its start, so that traces, beacons and reports are not empty. @returns stops them */
export function startDemoViewers(liveUrl: string): () => void {
  const view = `${liveUrl}/hls/view/${channelId}?api-key=${channelKey}`;
  return startViewers([`${view}&viewer=ann`, `${view}&viewer=bob`], 1000);
}
