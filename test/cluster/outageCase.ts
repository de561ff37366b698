// SPDX-License-Identifier: Apache-2.0
// A store that Midroll needs becomes unavailable while viewers watch, and comes back. What viewers and administrators see during
// the outage, and that nothing that was acknowledged is lost.
import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { writeVast } from '../live/adHost.ts';
import type { Midroll } from '../live/midroll.ts';
import { openSession } from '../live/openSession.ts';
import { expectBeacons } from '../live/scenarios/liveBreaks.ts';
import { adSource, item, openRealStage, type Stage, type TracedBreak } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { startFreezingProxy, startFreezingProxyOf } from '../servers/freezingProxy.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { S3_CREDENTIALS, startS3 } from '../servers/startS3.ts';

export type OutageStore = 'Redis' | 'PostgreSQL' | 'the object store';

export type OutageCase = {
  readonly store: OutageStore;
  /** Connections are refused, or stay open without any data. */
  readonly kind: 'refused' | 'black-holed';
  readonly seconds: number;
};

/** What was observed during an outage. */
type Observed = {
  /** Statuses of requests that open sessions, and of administrative requests. */
  readonly opened: readonly number[];
  readonly listed: readonly number[];
  readonly ready: readonly number[];
  /** Breaks of the viewers that started in it, by status and reason. */
  readonly breaks: Readonly<Record<string, number>>;
  /** Lines of the log in it, by message. */
  readonly lines: Readonly<Record<string, number>>;
};

/** Each store, unavailable in each way, for each of these times. */
export const outagesOf = (lengths: readonly number[]): readonly OutageCase[] =>
  (['Redis', 'PostgreSQL', 'the object store'] as const).flatMap((store) =>
    (['refused', 'black-holed'] as const).flatMap((kind) => lengths.map((seconds) => ({ store, kind, seconds }))),
  );

const statusOf = (response: Promise<{ status: number }>): Promise<number> =>
  response.then(
    ({ status }) => status,
    () => 0,
  );

/** Opens a session every few seconds, and sends administrative requests, until the outage is over. */
async function probe({ liveUrl, adminUrl, api }: Midroll, isOver: () => boolean, stage: Stage) {
  const opened: number[] = [];
  const listed: number[] = [];
  const ready: number[] = [];
  const limited = { signal: AbortSignal.timeout(600_000) };
  while (!isOver()) {
    const [open, list, state] = await Promise.all([
      statusOf(fetch(`${liveUrl}/hls/c/master.m3u8?api-key=key&viewer=new${opened.length}`, limited)),
      statusOf(api('GET', '/channels')),
      statusOf(fetch(`${adminUrl}/ready`, limited)),
    ]);
    opened.push(open);
    listed.push(list);
    ready.push(state);
    await stage.clock.sleep(1000);
  }
  return { opened, listed, ready };
}

/** Seconds of content and of the break after them, again and again. */
const CONTENT_SECONDS = 8;
const BREAK_SECONDS = 6;

/** Breaks that were shown as slate in an outage are recorded after it. */
const isComplete = (breaks: readonly TracedBreak[]): boolean =>
  breaks.every(({ at }, index) => index === 0 || at - breaks[index - 1]!.at < 1500 * (CONTENT_SECONDS + BREAK_SECONDS));

const countBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const one of items) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
  return counts;
};

export async function observeOutage({ store, kind, seconds }: OutageCase): Promise<Observed> {
  const database = await createDatabase();
  const s3 = await startS3();
  const [sql, redis, objects] = await Promise.all([
    startFreezingProxyOf(database.url),
    startFreezingProxyOf(inject('redisUrl')),
    startFreezingProxy({ host: '127.0.0.1', port: s3.port }),
  ]);
  const { [store]: proxy } = { Redis: redis, PostgreSQL: sql, 'the object store': objects };
  const stage = await openRealStage({
    ...{ DATABASE_URL: sql.url, DATABASE_STATEMENT_TIMEOUT_MS: '3000' },
    ...{ ...S3_CREDENTIALS, MEDIA_URL: s3.urlOf('ads', objects.port) },
    ...{ REDIS_URL: redis.url, REDIS_PREFIX: randomUUID(), ADMIN_RATE_LIMIT: '0' },
  });
  const { midroll, clock, adHost } = stage;
  try {
    const requests = new Map<string, number>();
    const beacons = new Map<string, number>();
    const spot = await stage.spot(3);
    adHost.on('/beacon', (response, _, query) => {
      const key = query.toString();
      beacons.set(key, (beacons.get(key) ?? 0) + 1);
      response.writeHead(204).end();
    });
    adHost.on('/ads', (response, _, query) => {
      const key = `${query.get('viewer')} ${query.get('break')}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const tracking = `${adHost.url}/beacon?event=[EVENT]&of=${encodeURIComponent(key)}`;
      const vast = writeVast([{ id: 'a', seconds: 3, url: spot, tracking }]);
      response.writeHead(200, { 'content-type': 'application/xml' }).end(vast);
    });
    await stage.air(
      'c',
      [item(await stage.video({ seconds: CONTENT_SECONDS }), { spliceTime: 4, maxDuration: BREAK_SECONDS })],
      {
        ...{ adSource: adSource(adHost, '/ads'), playlistSize: 20 },
      },
    );
    const hls = await stage.watch('c', { query: 'viewer=hls', fetches: 'ours', dash: false });
    const dash = await stage.watch('c', { query: 'viewer=dash', fetches: 'ours', hls: false, opens: 'dash' });
    const viewers: readonly Viewer[] = [hls, dash];
    const breaksOf = (viewer: Viewer): Promise<TracedBreak[]> => stage.breaks(viewer).catch(() => []);
    for (const viewer of viewers)
      await viewer.until(
        'two breaks have ads',
        async () => (await breaksOf(viewer)).filter(({ status }) => status !== 'empty').length >= 2,
      );

    const from = clock.now();
    let isOver = false;
    const probed = probe(midroll, () => isOver, stage);
    if (kind === 'refused') await proxy.refuse();
    else proxy.freeze();
    await clock.sleep(seconds * 1000);
    if (kind === 'refused') await proxy.accept();
    else proxy.thaw();
    const to = clock.now();
    isOver = true;
    const { opened, listed, ready } = await probed;

    for (const viewer of viewers)
      await viewer.until(
        'two breaks after the outage have ads',
        async () => (await breaksOf(viewer)).filter(({ at, status }) => at > to && status !== 'empty').length >= 2,
      );
    for (const viewer of viewers)
      await viewer.until(
        'the trace contains every break',
        async () => isComplete(await breaksOf(viewer)),
        async () => JSON.stringify(await breaksOf(viewer)),
      );
    await hls.until('the node is ready', async () => (await statusOf(fetch(`${midroll.adminUrl}/ready`))) === 200);
    await openSession({ clock, liveUrl: midroll.liveUrl, channel: 'c', apiKey: 'key', query: 'viewer=after' });
    await Promise.all(viewers.map((viewer) => viewer.leave()));
    const traced = await Promise.all(viewers.map((viewer) => stage.breaks(viewer)));
    expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
    expect([...requests].filter(([, count]) => count > 1)).toEqual([]);
    expect([...beacons].filter(([, count]) => count > 1)).toEqual([]);
    const shown = traced.map((breaks) => breaks.filter(({ at }) => at < clock.now() - 12_000));
    for (const [index, viewer] of viewers.entries()) await expectBeacons(stage, viewer, shown[index]!.slice(2));
    const during = traced.flat().filter(({ at }) => at >= from && at <= to);
    return {
      ...{ opened, listed, ready },
      breaks: countBy(during, ({ status, reason }) => `${status} ${reason?.code ?? ''}`.trim()),
      lines: countBy(midroll.lines(from, to + 15_000), ({ msg, path }) =>
        path === undefined ? msg : `${msg} ${path}`,
      ),
    };
  } finally {
    proxy.thaw();
    if (kind === 'refused') await proxy.accept().catch(() => {});
    await stage.close();
    await Promise.all([sql.close(), redis.close(), objects.close(), s3.stop()]);
    await database.drop();
  }
}
