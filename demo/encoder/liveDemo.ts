// SPDX-License-Identifier: Apache-2.0
// The live channel of the demo: its origin, the channel in Midroll, and what the page shows of both.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminAccess, callAdmin } from '../callAdmin.ts';
import { prepareAds } from '../prepare.ts';
import { liveChannelId, seedLive } from '../seed.ts';
import type { EncoderOrigin, EncoderStatus } from './encoderOrigin.ts';

const POLL_INTERVAL_MS = 500;
/** The first analysis measures several segments of each track. */
const SEGMENTS_TO_START = 3;
const PREPARATION_SECONDS = 120;
const SHOWN_BREAKS = 4;
const READ_INTERVAL_MS = 3000;

type Health = {
  readonly state: string;
  readonly reason?: string;
  readonly since?: string;
  /** What viewers are shown content from. */
  readonly onAir?: { readonly kind: string; readonly since?: string };
};
type Channel = {
  readonly state: string;
  readonly stateReason?: string;
  readonly live?: { readonly hls?: { readonly health?: Health } };
};
type ListedBreak = {
  readonly id: string;
  readonly startsAt: string;
  readonly duration?: number;
  readonly endsAt?: string;
  readonly source: string;
};
export type LiveStatus = {
  readonly encoder: EncoderStatus;
  /** Absent until the channel is on air, and while Midroll is unreachable. */
  readonly health?: Health;
  /** Why the channel is not on air. */
  readonly reason?: string;
  /** Newest first. */
  readonly breaks: readonly ListedBreak[];
};

const readChannel = (targets: AdminAccess): Promise<Channel> =>
  callAdmin<Channel>(targets, 'GET', `/channels/${liveChannelId}`);

/**
 * Starts the encoder, creates the channel, and conditions its ads. Resolves when all of this is done. Until then, no break
 * starts, so that the first one is full.
 */
export async function startLiveChannel(
  targets: AdminAccess,
  { origin, media, adServer }: { readonly origin: EncoderOrigin; readonly media: string; readonly adServer: string },
): Promise<void> {
  origin.holdBreaks('Preparing the ads');
  origin.startEncoder();
  const master = `${origin.url}/master.m3u8`;
  while (origin.listed() < SEGMENTS_TO_START) {
    const { state, reason } = origin.status();
    if (state === 'stopped' && reason) throw new Error(`The encoder of the live channel has ended: ${reason}`);
    await sleep(POLL_INTERVAL_MS);
  }
  await seedLive(targets, master, adServer);
  while ((await readChannel(targets)).live?.hls === undefined) await sleep(POLL_INTERVAL_MS);
  const onProgress = (ready: string) => origin.holdBreaks(`Ads ready: ${ready}`);
  await prepareAds(targets, media, PREPARATION_SECONDS, liveChannelId, onProgress);
  origin.holdBreaks();
}

type FromMidroll = Omit<LiveStatus, 'encoder'>;

async function readFromMidroll(targets: AdminAccess): Promise<FromMidroll> {
  const path = `/channels/${liveChannelId}`;
  const channel = await readChannel(targets);
  const { items } = await callAdmin<{ items: ListedBreak[] }>(targets, 'GET', `${path}/breaks?limit=${SHOWN_BREAKS}`);
  const { health } = channel.live?.hls ?? {};
  return {
    ...(health ? { health } : {}),
    ...(channel.stateReason ? { reason: channel.stateReason } : {}),
    breaks: items,
  };
}

/** Reads at most every three seconds, for all pages, because the admin API limits its requests. */
export function createStatusReader(targets: AdminAccess, origin: EncoderOrigin): () => Promise<LiveStatus> {
  let last: FromMidroll = { breaks: [] };
  let reading: Promise<void> | undefined;
  let readAt = 0;
  const read = async () => {
    readAt = Date.now();
    // What was read before stays while Midroll is unreachable.
    last = await readFromMidroll(targets).catch(() => last);
    reading = undefined;
  };
  return async () => {
    if (Date.now() - readAt >= READ_INTERVAL_MS) reading ??= read();
    await reading;
    return { encoder: origin.status(), ...last };
  };
}
