// SPDX-License-Identifier: Apache-2.0
// Midroll's live port over channels of synthetic assets, with viewers in a real store whose current break
// is decided. Parameters: JSON in the first argument. Sends the port and the session ids to the parent process.
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { sqlSessions } from '../src/adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../src/adapters/sql/sql.ts';
import { systemTimers } from '../src/adapters/systemClock.ts';
import { breakClips, type ClipMaker } from '../src/ads/placement/breakClips.ts';
import { freshOdometer } from '../src/ads/placement/decision.ts';
import { shiftOf } from '../src/ads/placement/personalise.ts';
import type { Channel } from '../src/channels/channel.ts';
import type { Airing } from '../src/playback/onAir/airing.ts';
import { createStoreHealth } from '../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../src/playback/viewers/viewers.ts';
import type { StoredDecision } from '../src/sessions/ports.ts';
import { millis } from '../src/time/units.ts';
import type { Clip } from '../src/timeline/asset/clip.ts';
import { type Span, spanStart } from '../src/timeline/programme/span.ts';
import { syntheticChannel } from '../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../test/laws/syntheticMedia.ts';
import { podOf } from './benchPods.ts';
import { benchTracking } from './benchTracking.ts';
import { servePlayers } from './servePlayers.ts';

export type BenchShape = {
  readonly channels: number;
  readonly items: number;
  readonly uptimeSeconds: number;
  readonly sessions: number;
  /** A segment of an ad is requested once per this many manifests. */
  readonly manifestsPerSegment?: number;
  /** The URL that beacons are sent to; without it, nothing is tracked. */
  readonly receiver?: string;
  /** Whether events are counted for reports, as in the product; true by default. */
  readonly isCounted?: boolean;
  /** The ads of each viewer, which no other viewer has; by default, there are two, and one in 600 viewers has the same. */
  readonly ownAds?: number;
  /** Seconds of the break; 60 by default. */
  readonly breakSeconds?: number;
  readonly format?: 'hls' | 'dash';
};

const shape = JSON.parse(process.argv[2] ?? '{}') as BenchShape;
const { breakSeconds = 60, format = 'hls' } = shape;
const RATE = { n: 25, d: 1 };
const now = Date.now();

/** Creates each clip once, as the product does. */
function keepingClips(clips: ClipMaker): ClipMaker {
  const kept = new Map<string, Clip>();
  const keep = (key: string, make: () => Clip) => {
    const clip = kept.get(key) ?? make();
    kept.set(key, clip);
    return clip;
  };
  return {
    ad: (id, frames) => keep(`${id} ${frames}`, () => clips.ad(id, frames)),
    slate: (id, frames, shown = frames) => keep(`${id} ${frames} ${shown}`, () => clips.slate(id, frames, shown)),
  };
}

/** There is a break at the end of the first item; the clock is set so that it began ten seconds ago. */
function airing(number: number): Airing {
  const items = Array.from({ length: shape.items }, (_, index) => ({
    asset: syntheticAsset({
      name: `video${index}`,
      rate: RATE,
      sampleRate: 48_000,
      segments: new Array(900).fill(50),
      qualities: 3,
    }),
    cuePoints: index === 0 ? [{ spliceTime: 1800, maxDuration: breakSeconds }] : [],
  }));
  const cycle = shape.items * 1800 + breakSeconds;
  const intoCycle = 1800 + 10;
  const cycles = Math.max(0, Math.floor((shape.uptimeSeconds - intoCycle) / cycle));
  const channel = syntheticChannel(items, now - (cycles * cycle + intoCycle) * 1000);
  const placements = new LRUCache<string, Span>({ max: 20_000 });
  return {
    channel: {
      id: `channel${number}`,
      playlistSize: 30,
      timeShiftWindow: 0,
      tracking: 'server',
      apiKey: 'k',
    } as Channel,
    life: 'life',
    ladder: channel.ladder,
    declared: channel.ladder,
    programme: channel.programme,
    clips: keepingClips(channel.clips),
    hasMedia: () => true,
    signalling: undefined,
    placements: {
      share: (key, make) => {
        const shared = placements.get(key) ?? make();
        placements.set(key, shared);
        return shared;
      },
    },
  };
}

const airings = new Map(Array.from({ length: shape.channels }, (_, index) => [`channel${index}`, airing(index)]));
const sql = await openSqlite(mkdtempSync(join(tmpdir(), 'midroll-bench-')));
const store = sqlSessions(sql);
const viewers = createViewers(
  store,
  createStoreHealth(systemTimers, () => {}),
  100_000,
);
globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;

const paths: string[] = [];
const firstAds: string[] = [];
for (let index = 0; index < shape.sessions; index += 1) {
  const channelId = `channel${index % shape.channels}`;
  const on = airings.get(channelId)!;
  const span = on.programme.spansBetween(millis(now - 1), millis(now)).find((one) => one.break !== undefined)!;
  const ads = podOf(span.id, index, shape.ownAds);
  const decision = { breakId: span.id, startsAt: spanStart(span), joined: 0, ads };
  const clips = breakClips(decision, span.break!, on.clips).map(({ clip }) => clip);
  const stored: StoredDecision = { ...decision, shift: shiftOf(span.placed.clip, clips) };
  const id = randomUUID();
  const openedAt = millis(now - 30_000);
  viewers.update(
    on,
    {
      session: {
        id,
        channelId,
        tenant: 't',
        life: 'life',
        format,
        openedAt,
        parameters: {},
        viewer: { address: '', userAgent: '' },
      },
      decisions: [stored],
      odometer: freshOdometer(on.ladder.rungs.length),
      foldedBefore: millis(0),
    },
    millis(Date.now() + 3_600_000),
  );
  paths.push(format === 'hls' ? `/hls/${channelId}/${id}/v0.m3u8` : `/dash/${channelId}/${id}.mpd`);
  firstAds.push(`/hls/${channelId}/${id}/${ads[0]!.adId}/${ads[0]!.mediaId}/250/0`);
}

/** Requests the manifests of all sessions in turn and, in between, one viewer's ad after the other, played to its end. */
function withSegments(manifests: readonly string[], every: number): string[] {
  const segments = firstAds.flatMap((ad) => [0, 1, 2, 3, 4].map((index) => `${ad}/${index}.m4s`));
  return segments.flatMap((segment, place) => [
    ...Array.from({ length: every }, (_, index) => manifests[(place * every + index) % manifests.length]!),
    segment,
  ]);
}
globalThis.gc?.();
const bytesPerSession = shape.sessions ? (process.memoryUsage().heapUsed - heapBefore) / shape.sessions : 0;

const { manifestsPerSegment: every, receiver } = shape;
servePlayers({
  channels: new Map([...airings].map(([id, airing]) => [id, { channel: airing.channel, airing }])),
  ...{ viewers, sessions: store, bytesPerSession },
  now: () => millis(Date.now()),
  isCounted: shape.isCounted !== false,
  ...(receiver && { recordDelivery: benchTracking(sql, new Date(now - 10_000).toISOString(), receiver) }),
  paths: every === undefined ? paths : withSegments(paths, every),
});
