// SPDX-License-Identifier: Apache-2.0
// Waits until a channel is on air, which is when a media playlist lists segments.
import { setTimeout as sleep } from 'node:timers/promises';

async function text(url: string): Promise<string | undefined> {
  const response = await fetch(url).catch(() => undefined);
  return response?.ok ? response.text() : undefined;
}

async function hasSegments(master: string): Promise<boolean> {
  const multivariant = await text(master);
  const media = multivariant?.split('\n').find((line) => line !== '' && !line.startsWith('#'));
  return media !== undefined && ((await text(new URL(media, master).href)) ?? '').includes('#EXTINF');
}

/** @param master URL of the multivariant playlist @returns false when the channel is not on air within `seconds` */
export async function untilPlaying(master: string, seconds: number): Promise<boolean> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (await hasSegments(master)) return true;
    await sleep(500);
  }
  return false;
}
