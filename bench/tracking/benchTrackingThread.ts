// SPDX-License-Identifier: Apache-2.0
// The tracking thread of the benchmark's server, composed as in the product, with break records of realistic size.
import { workerData } from 'node:worker_threads';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { clipIdOf } from '../../src/ads/placement/decision.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { runTracking } from '../../src/composition/tracking/runTracking.ts';
import type { ThreadData } from '../../src/composition/tracking/trackingWork.ts';
import { openSqlite } from '../../src/database.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import type { InLineAd } from '../../src/vast/response.ts';

export type Tracked = {
  /** The URL that beacons are sent to. */
  readonly receiver: string;
  readonly breakSeconds: number;
  /** Of each ad, at 25 frames per second. */
  readonly adFrames: readonly number[];
};

export type BenchThreadData = ThreadData & {
  readonly tracked: Tracked;
  readonly startsAt: string;
  readonly clock: Float64Array;
};

const EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];

/** Ads whose InLine and wrapper track all six events, with 20 KB of their ad response. */
function recordText(breakId: string, startsAt: string, { receiver, breakSeconds, adFrames }: Tracked): string {
  const by = ['inline', 'wrapper'].map((who) => (event: string) => `${receiver}/${who}?e=${event}&cb=[CACHEBUSTING]`);
  const linear = { trackingEvents: EVENTS.flatMap((event) => by.map((url) => ({ event, url: url(event) }))) };
  const lists = { mediaFiles: [], mezzanines: [], interactiveFiles: [], closedCaptions: [], icons: [] };
  const vast = {
    impressions: by.map((url) => ({ url: url('impression') })),
    creatives: [{ universalAdIds: [], extensions: [], linear: { ...lists, ...linear } }],
  } as unknown as InLineAd;
  const record: BreakRecord = {
    ...{ id: breakId, startsAt, duration: breakSeconds, status: 'partial', warnings: [], slate: 0 },
    response: { version: '4.2', bytes: 20_000, raw: 'x'.repeat(20_000) },
    ads: adFrames.map((frames, ad) => ({
      ...{ adId: clipIdOf(breakId, ad), duration: frames / 25, outcome: 'stitched' },
      vast,
    })),
  };
  return JSON.stringify(record);
}

const { config, files, tracked, startsAt, clock } = workerData as BenchThreadData;

// As in a store: written once, read for each viewer.
const texts = new Map<string, string>();
const textOf = (breakId: string): string => {
  const text = texts.get(breakId) ?? recordText(breakId, startsAt, tracked);
  texts.set(breakId, text);
  return text;
};

const sessions = {
  find: async (id: string) => ({
    session: {
      ...{ id, channelId: 'channel0', tenant: 't', life: 'life', format: 'hls', openedAt: millis(0), parameters: {} },
      viewer: { address: '', userAgent: '' },
    },
  }),
  findBreak: async (_: string, breakId: string) => JSON.parse(textOf(breakId)) as BreakRecord,
} as unknown as SessionStore;

const sql = await openSqlite(config.DATA_DIR);
const guard = createEgressGuard({ allow: ['127.0.0.1'] });
const now = () => millis(clock[0]!);
runTracking({ ...{ sql, sessions, guard, files, config, hasStoreApart: false, now }, close: sql.close });
