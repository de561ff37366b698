// SPDX-License-Identifier: Apache-2.0
// The channels of the soak: one with an HLS origin for both formats and a backup, and one with an origin for each format.
import { sqlChannels } from '../../../src/adapters/sql/channels/sqlChannels.ts';
import { sqlLiveFeeds } from '../../../src/adapters/sql/live/sqlLiveFeeds.ts';
import type { Sql } from '../../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../../src/adapters/systemClock.ts';
import type { Channel } from '../../../src/channels/channel.ts';
import { analyseOrigin } from '../../../src/ingest/live/analyseOrigin.ts';
import { createDashSampler } from '../../../src/ingest/live/dash/sampleDashOrigin.ts';
import { sampleHlsOrigin } from '../../../src/ingest/live/hls/sampleHlsOrigin.ts';
import type { LiveFeed } from '../../../src/live/feed.ts';
import { liveFeedLadder } from '../../../src/planning/live/feedLadder.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { Ladder } from '../../../src/timeline/ladder/ladder.ts';
import { slateOf } from './soakAds.ts';
import type { SoakOrigin } from './soakOrigin.ts';

const KEY = { tenant: 'acme', apiKey: 'key', createdBy: 'ann@example.com', createdAt: '2026-03-01T00:00:00.000Z' };

/** The channels that operators insert breaks in. */
export const soakChannels = ['one', 'two'].map((id) => ({ tenant: KEY.tenant, id }));

/** What viewers watch. */
export const watchedKinds: readonly { readonly id: string; readonly format: Session['format'] }[] = [
  { id: 'one', format: 'hls' },
  { id: 'one', format: 'dash' },
  { id: 'two', format: 'hls' },
  { id: 'two', format: 'dash' },
];

/** A feed on air, and its origin. */
export type SoakFeed = { feed: LiveFeed; readonly origin: SoakOrigin };

export type OnAir = {
  readonly ladders: readonly Ladder[];
  readonly feeds: readonly SoakFeed[];
  /** Begins new lives of all feeds, as after they were off air. */
  renew(): Promise<void>;
};

/** @param origins of the first channel, of the second one, and the backup of the first */
export async function putOnAir(sql: Sql, origins: readonly SoakOrigin[], now: () => number): Promise<OnAir> {
  const ladders: Ladder[] = [];
  const clock = { now: () => now() as never, timers: systemTimers };
  async function begin(channelId: string, origin: SoakOrigin, url: string): Promise<SoakFeed> {
    const sample = { hls: sampleHlsOrigin, dash: createDashSampler(clock.now) };
    const found = await analyseOrigin(
      { origin: origin.forNode(-1, clock, () => 0), now: clock.now, log: () => undefined, sample },
      url,
    );
    if (found.playable === undefined) throw new Error(found.problems.join());
    const derived = liveFeedLadder(found.playable);
    if (typeof derived === 'string') throw new Error(derived);
    const feed: LiveFeed = {
      ...{ channelId, tenant: KEY.tenant, life: `${channelId} ${found.playable.format}`, url, startedAt: clock.now() },
      ...{ format: found.playable.format, serves: found.playable.serves, slateId: slateOf(ladders.length) },
      ...{ ladder: derived.ladder, rungs: derived.rungs },
    };
    ladders.push(derived.ladder);
    await sqlLiveFeeds(sql).begin(feed);
    return { feed, origin };
  }
  const common = { ...KEY, type: 'live', state: 'enabled', tracking: 'server', timeShiftWindow: 0 } as const;
  const adSource = { url: 'https://ads.example/vast' };
  const [one, two, backup] = origins as [SoakOrigin, SoakOrigin, SoakOrigin];
  const channels: Channel[] = [
    {
      ...{ ...common, id: 'one', playlistSize: 30, sourceManifestUrl: one.hlsUrl, adSource },
      ...{ preroll: { maxDuration: 12 }, backupManifestUrls: [backup.hlsUrl] },
    },
    {
      ...{
        ...common,
        id: 'two',
        playlistSize: 24,
        sourceManifestUrl: two.hlsUrl,
        sourceDashUrl: two.dashUrl,
        adSource,
      },
      ...{ breakFill: 'content', maxBreakDuration: 60, markers: 'pass', prefetch: 'decision' },
    },
  ];
  for (const channel of channels) await sqlChannels(sql).insert(channel);
  const feeds = [
    await begin('one', one, one.hlsUrl),
    await begin('two', two, two.hlsUrl),
    await begin('two', two, two.dashUrl),
  ];
  async function renew(): Promise<void> {
    for (const one of feeds) {
      const { life } = one.feed;
      one.feed = { ...one.feed, life: `${life}'`, startedAt: clock.now() };
      await sqlLiveFeeds(sql).begin(one.feed, life);
    }
  }
  return { ladders, feeds, renew };
}
