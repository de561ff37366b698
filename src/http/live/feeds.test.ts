// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { airingOf, syntheticChannel, viewerOf } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import type { EnabledChannel } from '../../playback/onAir/airing.ts';
import { millis } from '../../time/units.ts';
import { createFeeds, type FeedDeps } from './feeds.ts';

const start = millis(Date.parse('2026-03-01T00:00:00Z'));
const channel = syntheticChannel([{ asset: twoSecondAsset('a', 10), cuePoints: [] }], start);
const airing = { ...airingOf(channel, 60), life: 'hls' };
const { state } = viewerOf(airing, start);

/** The result of a request for the tracking feed of a session of this life. */
async function statusOf(life: string, awake: Partial<EnabledChannel>): Promise<unknown> {
  const enabled = {
    channel: { ...airing.channel, type: 'live' },
    live: { has: (one: string) => ['hls', 'dash'].includes(one) },
    ...awake,
  };
  const session = { ...state.session, format: 'dash', life };
  const feeds = createFeeds({
    sessions: { find: async () => ({ ...state, session }) },
    airings: { find: () => enabled },
    now: () => start,
  } as unknown as FeedDeps);
  let status: unknown;
  const response = {
    writeHead(code: number) {
      status = code;
    },
    end() {},
  };
  const incoming = { request: { method: 'GET', headers: {} }, response, query: new URLSearchParams() };
  await feeds.tracking('s', incoming as never).catch(({ kind }) => {
    status = kind;
  });
  return status;
}

test.each([
  ['of either feed of a live channel', 'dash', { airing, dashAiring: { ...airing, life: 'dash' } }, 200],
  ['of the HLS feed', 'hls', { airing, dashAiring: { ...airing, life: 'dash' } }, 200],
  ['of a feed that is idle', 'dash', { airing }, 'UNAVAILABLE'],
  ['of a channel that is idle', 'dash', {}, 'UNAVAILABLE'],
  ['of a past life', 'gone', { airing }, 'NOT_FOUND'],
])('the tracking feed of a session %s', async (_, life, awake, status) => {
  expect(await statusOf(life, awake)).toBe(status);
});
