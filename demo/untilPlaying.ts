// Waits until a channel is on air: until a media playlist of it lists segments.
import { setTimeout as sleep } from 'node:timers/promises';

async function text(url: string): Promise<string | undefined> {
  const answer = await fetch(url).catch(() => undefined);
  return answer?.ok ? answer.text() : undefined;
}

async function hasSegments(master: string): Promise<boolean> {
  const multivariant = await text(master);
  const media = multivariant?.split('\n').find((line) => line !== '' && !line.startsWith('#'));
  return media !== undefined && ((await text(new URL(media, master).href)) ?? '').includes('#EXTINF');
}

/** @returns false when it does not play within `seconds` */
export async function untilPlaying(master: string, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (await hasSegments(master)) return true;
    await sleep(500);
  }
  return false;
}
