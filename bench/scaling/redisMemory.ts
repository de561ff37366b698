// SPDX-License-Identifier: Apache-2.0
// What a session takes in the memory of Redis: opened, watched, and for each break with its decision and record, by the size of the
// ad response; and what it costs to read it. Stored by the product's own adapter, on an empty server.
import { randomBytes } from 'node:crypto';
import { redisSessions } from '../../src/adapters/redis/redisSessions.ts';
import { openRedisStore } from '../../src/adapters/redis/redisStore.ts';
import { freshOdometer } from '../../src/ads/placement/decision.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import type { SessionState, SessionStore } from '../../src/sessions/ports.ts';
import type { Session } from '../../src/sessions/session.ts';
import { millis } from '../../src/time/units.ts';
import { readAdResponse } from '../../src/vast/read/readAdResponse.ts';
import { type RedisServer, startRedis } from '../../test/servers/startRedis.ts';
import { usedMemory, usedProcessor } from './redisFigures.ts';

const SESSIONS = 1000;
const LIMITS = { maxUrls: 100 } as Parameters<typeof readAdResponse>[1];
const BREAKS = 3;
const ADS = 4;
const EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'creativeView', 'mute', 'unmute'];
const AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36';

/** @param urls for each event, each with a token of its own, as ad servers write them */
function writeResponse(urls: number): string {
  const url = (event: string, at: number) =>
    `<![CDATA[https://track${at}.example.com/event?type=${event}&token=${randomBytes(60).toString('base64url')}]]>`;
  const each = (of: (at: number) => string) => Array.from({ length: urls }, (_, at) => of(at)).join('\n');
  const ads = Array.from({ length: ADS }, (_, index) => {
    const tracking = EVENTS.map((event) => each((at) => `<Tracking event="${event}">${url(event, at)}</Tracking>`));
    return `<Ad id="${index}" sequence="${index + 1}"><InLine><AdSystem>bench</AdSystem><AdTitle>Ad ${index}</AdTitle>
${each((at) => `<Impression>${url('impression', at)}</Impression>`)}<Creatives><Creative id="c${index}"><Linear><Duration>00:00:15</Duration>
<TrackingEvents>${tracking.join('\n')}</TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1920" height="1080" bitrate="8000">
<![CDATA[https://creatives.example.com/${randomBytes(12).toString('hex')}.mp4]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
  });
  return `<VAST version="4.2">${ads.join('\n')}</VAST>`;
}

function recordOf(breakId: string, raw: string): BreakRecord {
  const bytes = Buffer.from(raw);
  const { document } = readAdResponse(
    { url: 'https://ads.example.com/', bytes, contentType: 'application/xml' },
    LIMITS,
  );
  const vasts = (document as unknown as { ads: readonly object[] }).ads;
  const ads = vasts.map((vast, index) => ({
    ...{ adId: `${breakId}-${index}`, duration: 15, outcome: 'stitched' as const, title: `Ad ${index}`, vast },
  }));
  const place = { id: breakId, startsAt: new Date(0).toISOString(), duration: 60, status: 'filled' as const, slate: 0 };
  return {
    ...place,
    warnings: [],
    response: { version: '4.2', bytes: bytes.length, raw },
    ads,
  } as unknown as BreakRecord;
}

export type SessionMemory = {
  readonly responseBytes: number;
  readonly opened: number;
  readonly watched: number;
  readonly perBreak: number;
  /** Processor time of reading a session once. */
  readonly read: { readonly nodeMs: number; readonly redisMs: number };
};

/** Sessions that are read in one batch, as under load. */
const READ_AT_ONCE = 8;
const READ_ROUNDS = 5;

async function measureReads(ids: readonly string[], redis: RedisServer, find: SessionStore['find']) {
  const inRedis = async () => usedProcessor(await redis.command('info', 'cpu'));
  const round = async () => {
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      await Promise.all(ids.slice(from, from + READ_AT_ONCE).map(find));
  };
  await round();
  const before = { node: process.cpuUsage(), redis: await inRedis() };
  for (let count = 0; count < READ_ROUNDS; count += 1) await round();
  const { user, system } = process.cpuUsage(before.node);
  const reads = READ_ROUNDS * ids.length;
  return { nodeMs: (user + system) / 1000 / reads, redisMs: ((await inRedis()) - before.redis) / reads };
}

export async function measureRedisMemory(urls: number): Promise<SessionMemory> {
  const redis = await startRedis();
  const used = () => usedMemory(redis);
  const store = await openRedisStore(redis.url, 'bench');
  const sessions = redisSessions(store, { keepAssets: async () => {}, offChannels: async () => [] });
  try {
    // Scripts are stored once, and lists of a part begin with the first session.
    const empty = await used();
    const odometer = freshOdometer(8);
    const states = Array.from({ length: SESSIONS }, (_, index): SessionState => {
      const id = `${index.toString(16).padStart(8, '0')}-0000-4000-8000-${randomBytes(6).toString('hex')}`;
      const named = { id, channelId: 'channel-1', tenant: 'default', life: randomBytes(8).toString('hex') };
      const opened = {
        kind: 'schedule' as const,
        format: 'hls' as const,
        openedAt: millis(1_800_000_000_000),
        reach: { playlistSize: 60, timeShiftWindow: 0 },
        parameters: { device: 'phone', consent: '1' },
      };
      const session: Session = { ...named, ...opened, viewer: { address: '198.51.100.7', userAgent: AGENT } };
      return { session, odometer, decisions: [], foldedBefore: millis(0) };
    });
    await Promise.all(states.map(({ session }) => sessions.create(session, odometer)));
    const opened = await used();
    await sessions.seen(
      states.map(({ session }) => session.id),
      millis(1_800_000_010_000),
    );
    const watched = await used();
    let responseBytes = 0;
    for (let place = 0; place < BREAKS; place += 1)
      for (const state of states) {
        const breakId = `0-${place}`;
        const raw = writeResponse(urls);
        responseBytes = raw.length;
        const ads = [0, 1, 2, 3].map((ad) => ({
          adId: `${breakId}-${ad}`,
          mediaId: randomBytes(10).toString('hex'),
          frames: 375,
        }));
        const decision = { breakId, startsAt: 1_800_000_000_000 + place, joined: 0, ads, shift: odometer };
        await sessions.decide(state, decision, recordOf(breakId, raw), millis(0));
      }
    const decided = await used();
    return {
      responseBytes,
      opened: (opened - empty) / SESSIONS,
      watched: (watched - empty) / SESSIONS,
      perBreak: (decided - watched) / SESSIONS / BREAKS,
      read: await measureReads(
        states.map(({ session }) => session.id),
        redis,
        sessions.find,
      ),
    };
  } finally {
    await store.close();
    await redis.stop();
  }
}
