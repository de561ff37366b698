// SPDX-License-Identifier: Apache-2.0
// Hours of viewers, and of clients that only open sessions, on a real database file, with the jobs that expire data. Time is a
// number that the loop increments: an hour takes as long as its writes.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sqlAssets } from '../../src/adapters/sql/channels/sqlAssets.ts';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { sqlBeacons } from '../../src/adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../../src/adapters/sql/tracking/sqlDeliveries.ts';
import { freshOdometer } from '../../src/ads/placement/decision.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { openSqlite } from '../../src/database.ts';
import { unwatchedBefore } from '../../src/playback/viewers/watchStarts.ts';
import type { SessionState } from '../../src/sessions/ports.ts';
import type { Session } from '../../src/sessions/session.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { sessionOf } from '../stores/records.ts';

export type HoursOfSessions = {
  /** An empty folder. */
  readonly folder: string;
  readonly hours: number;
  /** Sessions watched for half an hour, with a break of two ads every quarter of an hour. */
  readonly watchedAnHour: number;
  /** Sessions opened with the largest allowed parameters and never watched: continuously, and at once within an hour. */
  readonly unwatchedAnHour: number;
  readonly attack?: { readonly inHour: number; readonly sessions: number };
  /** The ledger's retention of beacons, in hours. */
  readonly retention: number;
  /** The limit of unused imports. */
  readonly mostImports: number;
};

/** The state at the end of an hour. */
export type HourOfFile = {
  /** Bytes of the file, without its log. */
  readonly file: number;
  /** The most bytes in use within the hour, before a run of the jobs. Includes the log, which SQLite copies into the file later. */
  readonly peak: number;
  /** Bytes in use. */
  readonly used: number;
  readonly rows: Readonly<Record<'sessions' | 'breaks' | 'beacons' | 'deliveries' | 'assets' | 'sources', number>>;
};

const START = Date.parse('2026-05-01T00:00:00.000Z');
/** Minutes between two runs of all jobs; longer than in a server, so that more data accumulates. */
const STEP = 5;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SESSION_TTL = 15 * MINUTE;
const WATCHED_FOR = 30;
const DELIVERIES_KEPT = 8 * HOUR;
const EVENTS = ['impression', 'creativeView', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const viewer = { address: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0' };
const odometer = freshOdometer(4);

const urlOf = (sessionId: string, adId: string, event: string): string =>
  `https://track.example.com/v1/event?s=${sessionId}&a=${adId}&e=${event}&cb=12345678&t=2026-05-01T00%3A00%3A00.000Z`;

/** About the size of a real ad response. */
const storyOf = (id: string, at: number): BreakRecord => ({
  ...{ id, startsAt: new Date(at).toISOString(), duration: 30, status: 'filled', warnings: [], slate: 0 },
  response: { version: '4.2', bytes: 6000, raw: '<VAST version="4.2">'.padEnd(6000, '<Ad id="1"/>') },
  ads: [0, 1].map((place) => ({
    ...{ adId: `${id}-${place}`, title: 'An advertisement', duration: 15, outcome: 'stitched' as const },
  })),
});

type Watching = { state: SessionState; readonly since: number };

export async function* hoursOfSessions(run: HoursOfSessions): AsyncGenerator<HourOfFile> {
  const sql = await openSqlite(run.folder);
  try {
    yield* liveThrough(sql, run);
  } finally {
    await sql.close();
  }
}

async function* liveThrough(sql: Sql, run: HoursOfSessions): AsyncGenerator<HourOfFile> {
  const [sessions, beacons, deliveries] = [sqlSessions(sql), sqlBeacons(sql), sqlDeliveries(sql)];
  const assets = sqlAssets(sql);
  const film = syntheticAsset({ name: 'film', segments: [50, 50] });
  let watching: Watching[] = [];
  let opened = 0;
  let peak = 0;

  async function open(at: Millis, parameters: Session['parameters']): Promise<Session> {
    opened += 1;
    const id = `00000000-0000-4000-8000-${String(opened).padStart(12, '0')}`;
    const session: Session = { ...sessionOf(id, at), parameters, viewer };
    await sessions.create(session, odometer);
    return session;
  }

  async function showBreak(one: Watching, at: Millis): Promise<void> {
    const { id: sessionId } = one.state.session;
    const breakId = `0-${Math.floor((at - START) / MINUTE)}`;
    const ads = [0, 1].map((place) => ({ adId: `${breakId}-${place}`, mediaId: 'm', frames: 375 }));
    const shift = { segments: [1, 1, 1, 1], discontinuities: 2 };
    const decision = { breakId, startsAt: at, joined: 0, ads, shift };
    one.state = (await sessions.decide(one.state, decision, storyOf(breakId, at), millis(at - 5 * MINUTE)))!.state;
    for (const { adId } of ads) {
      const ends = Array.from({ length: 8 }, (_, index) => index * 2000);
      await deliveries.mark({ sessionId, adId, ends, kind: 'pictures', segments: [0, 1, 2, 3, 4, 5, 6, 7], at });
      const due = { recordedAt: at, dueAt: at, viewer, tenant: 't', channelId: 'c', sessionId, ownerId: adId, nth: 0 };
      await beacons.record(EVENTS.map((event) => ({ ...due, event, url: urlOf(sessionId, adId, event) })));
    }
  }

  async function sendAll(at: Millis): Promise<void> {
    for (;;) {
      const claimed = await beacons.claim('track.example.com', 1000, at, millis(at + 30_000));
      await Promise.all(claimed.map(({ seq }) => beacons.settle({ seq, at, status: 204, outcome: 'sent' })));
      if (claimed.length < 1000) return;
    }
  }

  async function forget(at: Millis): Promise<void> {
    await sessions.expire(millis(at - SESSION_TTL), unwatchedBefore(at));
    while ((await beacons.forget(millis(at - run.retention * HOUR))) > 0);
    while ((await deliveries.forget(millis(at - DELIVERIES_KEPT), millis(at))) > 0);
    await assets.forgetUnused(millis(at - 7 * 24 * HOUR), run.mostImports, at);
    await sql.shrink!();
  }

  /** The share of `perHour` that belongs to the step starting at a minute. */
  const shareOf = (anHour: number, minute: number) =>
    Math.floor(((minute + STEP) * anHour) / 60) - Math.floor((minute * anHour) / 60);
  const attackAt = (minute: number) => (minute === (run.attack?.inHour ?? -1) * 60 ? run.attack!.sessions : 0);

  for (let minute = 0; minute < run.hours * 60; minute += STEP) {
    const at = millis(START + minute * MINUTE);
    const begun = Array.from({ length: shareOf(run.watchedAnHour, minute) }, () => open(at, { viewer: 'somebody' }));
    const unwatched = shareOf(run.unwatchedAnHour, minute) + attackAt(minute);
    const idle = Array.from({ length: unwatched }, () =>
      open(at, { consent: 'x'.repeat(2000), more: 'x'.repeat(2000) }),
    );
    for (const session of await Promise.all(begun)) {
      watching.push({ since: minute, state: { session, decisions: [], odometer, foldedBefore: millis(0) } });
    }
    await Promise.all(idle);
    // A video that an editor analyses and no channel plays.
    await assets.put(
      `https://origin.example.com/${minute}`,
      { ...film, url: `https://origin.example.com/${minute}` },
      at,
    );
    watching = watching.filter(({ since }) => minute - since < WATCHED_FOR);
    await sessions.seen(
      watching.map(({ state }) => state.session.id),
      at,
    );
    await Promise.all(watching.filter(({ since }) => (minute - since) % 15 === 5).map((one) => showBreak(one, at)));
    await sendAll(at);
    peak = Math.max(peak, bytesInUse(sql));
    await forget(at);
    if ((minute + STEP) % 60 !== 0) continue;
    yield measure(sql, run.folder, peak);
    peak = 0;
  }
}

function bytesInUse({ sqlite }: Sql): number {
  const pragma = (name: string) => sqlite!.pragma(name, { simple: true }) as number;
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
}

function measure(sql: Sql, folder: string, peak: number): HourOfFile {
  const count = (table: string) => sql.sqlite!.prepare(`select count(*) from ${table}`).pluck().get() as number;
  const tables = ['sessions', 'breaks', 'beacons', 'deliveries', 'assets', 'sources'] as const;
  return {
    ...{ file: statSync(join(folder, 'midroll.db')).size, peak, used: bytesInUse(sql) },
    rows: Object.fromEntries(tables.map((table) => [table, count(table)])) as HourOfFile['rows'],
  };
}
