// SPDX-License-Identifier: Apache-2.0
// What the demo waits for before it shows its page: the channel is on air, and its ads are conditioned, so that the first break
// of the first viewer has ads. No session is opened.
import { setTimeout as sleep } from 'node:timers/promises';
import { advertisements } from './advertisements.ts';
import { channelId, type SeedTargets } from './seed.ts';
import { writeVastResponse } from './vastResponse.ts';

const POLL_INTERVAL_MS = 200;

/** @throws with the response when the request fails */
async function call<T>({ adminUrl, apiKey }: SeedTargets, path: string, body?: object): Promise<T> {
  const response = await fetch(`${adminUrl}/api/v2${path}`, {
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Resolves when the channel plays its videos. @throws with the state of the channel when that takes longer than `seconds` */
export async function untilOnAir(targets: SeedTargets, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const path = `/channels/${channelId}/timeline`;
    const { entries } = await call<{ entries: { kind: string }[] }>(targets, path);
    if (entries.some(({ kind }) => kind === 'content')) return;
    await sleep(POLL_INTERVAL_MS);
  }
  const channel = await call(targets, `/channels/${channelId}`);
  throw new Error(`The channel is not playing after ${seconds} s: ${JSON.stringify(channel)}`);
}

type Asset = { readonly id: string; readonly state: string; readonly reason?: string };

/**
 * Resolves when all ads are conditioned, after `seconds` at the latest: the rest is conditioned while the channel plays.
 * @param media the URL of the origin of the creatives
 * @returns how many are ready
 */
export async function prepareAds(targets: SeedTargets, media: string, seconds: number): Promise<number> {
  const context = { adServer: media, media, viewer: '', breakId: '' };
  const vast = writeVastResponse(advertisements, context);
  const deadline = Date.now() + seconds * 1000;
  let { assets } = await call<{ assets: Asset[] }>(targets, '/assets', { vast, channels: [channelId] });
  const ids = new Set(assets.map(({ id }) => id));
  const isOpen = ({ state, reason }: Asset) => state === 'preparing' || (state === 'waiting' && reason === undefined);
  while (assets.some(isOpen) && Date.now() < deadline) {
    await sleep(POLL_INTERVAL_MS);
    const listed = await call<Asset[]>(targets, `/assets?channel=${channelId}`);
    assets = listed.filter(({ id }) => ids.has(id));
  }
  return assets.filter(({ state }) => state === 'ready').length;
}
