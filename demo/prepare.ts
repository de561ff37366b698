// SPDX-License-Identifier: Apache-2.0
// What the demo waits for before it shows its page: the channel is on air, and its ads are conditioned, so that the first break
// of the first viewer has ads. No session is opened.
import { setTimeout as sleep } from 'node:timers/promises';
import { advertisements } from './advertisements.ts';
import { type AdminAccess, callAdmin } from './callAdmin.ts';
import { channelId } from './seed.ts';
import { writeVastResponse } from './vastResponse.ts';

/** Fewer requests than the admin API allows in a minute, however long a slow machine conditions. */
const POLL_INTERVAL_MS = 500;

/** Resolves when the channel plays its videos. @throws with the state of the channel when that takes longer than `seconds` */
export async function untilOnAir(targets: AdminAccess, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const path = `/channels/${channelId}/timeline`;
    const { entries } = await callAdmin<{ entries: { kind: string }[] }>(targets, 'GET', path);
    if (entries.some(({ kind }) => kind === 'content')) return;
    await sleep(POLL_INTERVAL_MS);
  }
  const channel = await callAdmin(targets, 'GET', `/channels/${channelId}`);
  throw new Error(`The channel is not playing after ${seconds} s: ${JSON.stringify(channel)}`);
}

type Asset = { readonly id: string; readonly state: string; readonly reason?: string };

/** Repeats the request: a node may not have read yet that the channel is on air. */
async function request(targets: AdminAccess, body: object, deadline: number): Promise<Asset[]> {
  for (;;) {
    try {
      return (await callAdmin<{ assets: Asset[] }>(targets, 'POST', '/assets', body)).assets;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(POLL_INTERVAL_MS * 2);
    }
  }
}

/**
 * Resolves when all ads are conditioned, after `seconds` at the latest: the rest is conditioned while the channel plays.
 * @param media the URL of the origin of the creatives
 * @param channel whose ladder they are conditioned for
 * @param onProgress called with a text such as `2 of 4` when it changes
 * @returns how many are ready
 */
export async function prepareAds(
  targets: AdminAccess,
  media: string,
  seconds: number,
  channel = channelId,
  onProgress: (ready: string) => void = () => undefined,
): Promise<number> {
  const context = { adServer: media, media, viewer: '', breakId: '' };
  const vast = writeVastResponse(advertisements, context);
  const deadline = Date.now() + seconds * 1000;
  let assets = await request(targets, { vast, channels: [channel] }, deadline);
  const ids = new Set(assets.map(({ id }) => id));
  const isOpen = ({ state, reason }: Asset) => state === 'preparing' || (state === 'waiting' && reason === undefined);
  const countReady = () => assets.filter(({ state }) => state === 'ready').length;
  while (assets.some(isOpen) && Date.now() < deadline) {
    onProgress(`${countReady()} of ${assets.length}`);
    await sleep(POLL_INTERVAL_MS);
    const listed = await callAdmin<Asset[]>(targets, 'GET', `/assets?channel=${channel}`);
    assets = listed.filter(({ id }) => ids.has(id));
  }
  return countReady();
}
