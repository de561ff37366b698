// SPDX-License-Identifier: Apache-2.0
// What the followers of the chaos test share: how a session is opened, how ad segments are requested, and what is counted.
import { setTimeout as wait } from 'node:timers/promises';
import { mediaPlaylists } from '../live/openSession.ts';
import { type AdDeliveries, createAdDeliveries } from './adDeliveries.ts';
import type { BalancedClient, RequestCounts } from './balancedClient.ts';

export type FollowCounts = RequestCounts & {
  sessions: number;
  /** Responses with a manifest. */
  polls: number;
  segments: number;
  adSegments: number;
  /** Milliseconds that a manifest was behind the clock at most, by kind of channel. */
  readonly longestStop: Record<string, number>;
  /** Stops longer than the law allows, while an event loop was late. */
  overloadedStops: number;
  /** How often a player with a buffer of three target durations would have run out of media, and for how long in all. */
  stalls: number;
  stalledMs: number;
};

export const newCounts = (): FollowCounts => ({
  ...{ requests: 0, refused: {}, lost: 0, longestRetry: 0, sessions: 0, polls: 0, segments: 0, adSegments: 0 },
  ...{ longestStop: {}, overloadedStops: 0, stalls: 0, stalledMs: 0 },
});

/** A session that was followed, for the comparison with the ledger. */
export type FollowedSession = {
  readonly session: string;
  readonly channel: string;
  readonly format: 'hls' | 'dash';
  readonly deliveries: AdDeliveries;
};

export type Following = {
  readonly name: string;
  readonly channel: string;
  readonly format: 'hls' | 'dash';
  readonly random: () => number;
  readonly client: BalancedClient;
  readonly counts: FollowCounts;
  onOpened(opened: Opened): void;
  /** A player would have had nothing to play. */
  onStall(from: number, to: number): void;
  /** Reports a broken law. */
  fault(message: string): void;
  isOver(): boolean;
  /** Whether the followers have to stop at once. */
  isEnding(): boolean;
};

export type Opened = FollowedSession & {
  /** Paths of the manifests that are polled, without the query; the first one is of the first video rung. */
  readonly manifests: readonly string[];
  readonly rungs: readonly string[];
};

/** @returns undefined if it is over before a session was opened */
export async function openFollowed(following: Following): Promise<Opened | undefined> {
  const opened = await open(following);
  if (opened !== undefined) following.onOpened(opened);
  return opened;
}

async function open(following: Following): Promise<Opened | undefined> {
  const { channel, format, client, name, counts } = following;
  const path =
    format === 'hls'
      ? `/hls/${channel}/master.m3u8?api-key=key&viewer=${name}`
      : `/dash/view/${channel}?api-key=key&viewer=${name}`;
  const reply = await client.persist(path, following.isOver);
  if (reply === undefined) return undefined;
  if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}: ${reply.text}`);
  counts.sessions += 1;
  const about = { channel, format, deliveries: createAdDeliveries() };
  if (format === 'dash') {
    const { mediaURL } = JSON.parse(reply.text) as { mediaURL: string };
    const { pathname } = new URL(mediaURL);
    return { ...about, session: /([^/]+)\.mpd$/.exec(pathname)![1]!, manifests: [pathname], rungs: [] };
  }
  const playlists = mediaPlaylists(reply.text);
  return {
    ...about,
    session: playlists[0]!.split('/')[0]!,
    manifests: playlists.map((playlist) => `/hls/${channel}/${playlist}`),
    rungs: playlists.map((playlist) => /([^/]+)\.m3u8$/.exec(playlist)![1]!),
  };
}

/** Requests an ad segment after a moment, like a player that fills its buffer. */
export async function requestSegment(following: Following, opened: Opened, uri: string): Promise<void> {
  const { client, random, counts, channel, format } = following;
  await wait(600 * random());
  const reply = await client.persist(`/${format}/${channel}/${opened.session}/${uri}`, following.isEnding);
  if (reply === undefined) return;
  counts.adSegments += 1;
  if (reply.status === 302 || reply.status === 200) opened.deliveries.confirm(uri);
  else following.fault(`${uri} returned ${reply.status}: ${reply.text}`);
}
