// Viewers without a screen: each asks for what a player would ask for, in its time.
import { setTimeout as sleep } from 'node:timers/promises';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const read = async (url: string): Promise<string> => (await fetch(url)).text();

async function watch(view: string, signal: AbortSignal): Promise<void> {
  const { mediaURL } = (await (await fetch(view)).json()) as { mediaURL: string };
  const media = lines(await read(mediaURL)).map((path) => new URL(path, mediaURL).href);
  const seen = new Set<string>();
  while (!signal.aborted) {
    // The last of each is not asked for yet: a player stays behind the live edge.
    for (const playlist of [media[0], media.at(-1)]) {
      for (const path of lines(await read(playlist!)).slice(-8, -3)) {
        const segment = new URL(path, playlist).href;
        if (seen.has(segment)) continue;
        seen.add(segment);
        await (await fetch(segment)).arrayBuffer();
      }
    }
    await sleep(1500, undefined, { signal }).catch(() => {});
  }
}

/** @param views addresses that open a session @param apart milliseconds from one viewer to the next @returns ends it */
export function startWatching(views: readonly string[], apart: number): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  views.forEach((view, index) => {
    sleep(index * apart, undefined, { signal })
      .then(() => watch(view, signal))
      .catch((error: Error) => {
        if (!signal.aborted) console.error(`A viewer left: ${error.message}`);
      });
  });
  return () => controller.abort();
}
