// SPDX-License-Identifier: Apache-2.0
// Simulated viewers: each requests the playlists and segments that a player would request, in real time.
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_INTERVAL_MS = 1500;

const uris = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const readText = async (url: string): Promise<string> => (await fetch(url)).text();

async function watch(sessionUrl: string, signal: AbortSignal): Promise<void> {
  const { mediaURL } = (await (await fetch(sessionUrl)).json()) as { mediaURL: string };
  const playlists = uris(await readText(mediaURL)).map((path) => new URL(path, mediaURL).href);
  const fetched = new Set<string>();
  while (!signal.aborted) {
    for (const playlist of [playlists[0], playlists.at(-1)]) {
      // A player stays behind the live edge, so it does not request the last segments yet.
      for (const path of uris(await readText(playlist!)).slice(-8, -3)) {
        const segment = new URL(path, playlist).href;
        if (fetched.has(segment)) continue;
        fetched.add(segment);
        await (await fetch(segment)).arrayBuffer();
      }
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

/** @param sessionUrls URLs that open a session @param delay milliseconds between two viewers @returns stops all of them */
export function startViewers(sessionUrls: readonly string[], delay: number): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  sessionUrls.forEach((sessionUrl, index) => {
    sleep(index * delay, undefined, { signal })
      .then(() => watch(sessionUrl, signal))
      .catch((error: Error) => {
        if (!signal.aborted) console.error(`A viewer stopped: ${error.message}`);
      });
  });
  return () => controller.abort();
}
