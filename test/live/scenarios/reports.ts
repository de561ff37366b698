// SPDX-License-Identifier: Apache-2.0
// The test counts what one viewer requests. Every report of the system must match these counts and the trace.
import { expect } from 'vitest';
import { mediaPlaylists, openSession } from '../openSession.ts';
import { adSource, item, type Stage } from '../stage.ts';

/** The report interval in milliseconds. */
const INTERVAL = 10_000;
const CHANNEL = 'counted';

type Seen = {
  manifests: number /** Report intervals in which a playlist was certainly served, and those in which one may have been. */;
  readonly certain: Set<number>;
  readonly possible: Set<number>;
};

/** Polls all media playlists of a session every second, fetches what they list of ads, and counts its requests. */
async function watchCounting(stage: Stage, until: () => Promise<boolean>): Promise<Seen & { session: string }> {
  const { clock } = stage;
  const { liveUrl } = stage.midroll;
  const master = await openSession({ clock, liveUrl, channel: CHANNEL, apiKey: 'key' });
  const playlists = mediaPlaylists(master).map((path) => `${liveUrl}/hls/${CHANNEL}/${path}`);
  const session = playlists[0]!.split('/').at(-2)!;
  const seen: Seen = { manifests: 1, certain: new Set(), possible: new Set() };
  const fetched = new Set<string>();
  while (!(await until())) {
    for (const url of playlists) {
      const before = stage.clock.now();
      const response = await fetch(url);
      const text = await response.text();
      const intervals = [before, stage.clock.now()].map((at) => Math.floor(at / INTERVAL));
      for (const interval of intervals) seen.possible.add(interval);
      if (intervals[0] === intervals[1]) seen.certain.add(intervals[0]!);
      expect(response.status).toBe(200);
      seen.manifests += 1;
      for (const line of text.split('\n')) {
        const isOurs = line !== '' && !line.startsWith('#') && !line.startsWith(stage.origin.url);
        const media = new URL(line, url).href;
        if (!isOurs || fetched.has(media)) continue;
        fetched.add(media);
        await (await fetch(media)).arrayBuffer();
      }
    }
    await stage.clock.sleep(1000);
  }
  return { ...seen, session };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export async function reportsMatchTheTrace(stage: Stage): Promise<void> {
  const { adHost, midroll } = stage;
  const [video, short, long] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(2.8), stage.spot(9.2)]);
  adHost.offer('/counted', () => [
    { id: 'short', seconds: 2.8, url: short },
    { id: 'long', seconds: 9.2, url: long },
  ]);
  const started = Math.floor(stage.clock.now() / 1000);
  await stage.air(CHANNEL, [item(video, { spliceTime: 4, maxDuration: 6 })], {
    adSource: adSource(adHost, '/counted'),
  });
  let session = '';
  const trace = async () => {
    const sessions = await midroll.api('GET', `/channels/${CHANNEL}/sessions`);
    session = sessions.json[0]?.id ?? '';
    return session === '' ? [] : (await midroll.api('GET', `/sessions/${session}`)).json.breaks;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a trace
  const ofShown = (breaks: any[]) => breaks.flatMap(({ ads }) => ads).filter(({ outcome }) => outcome === 'stitched');
  // Until a filled break is over.
  const deadline = stage.clock.now() + 300_000;
  const seen = await watchCounting(stage, async () => {
    expect(stage.clock.now()).toBeLessThan(deadline);
    return ofShown(await trace()).some(
      ({ startsAt, duration }) => Date.parse(startsAt) + duration * 1000 + 15_000 < stage.clock.now(),
    );
  });
  expect(seen.session).toBe(session);
  // Newest first: other scenarios add systems. A channel without a systemId belongs to the oldest system.
  const system = (await midroll.api('GET', '/systems')).json.at(-1);
  const read = async (name: string, more = '') => {
    const range = `start=${started}&end=${Math.floor(stage.clock.now() / 1000) + 120}`;
    const path = `/systems/${system.id}/reports/${name}?${range}&channel=${CHANNEL}${more}`;
    const { status, json } = await midroll.api('GET', path);
    expect([status, json.system, json.report]).toEqual([200, system.id, name]);
    return json;
  };
  const compare = async () => {
    const breaks = await trace();
    const ads = ofShown(breaks);
    const skipped = breaks.flatMap((one: { ads: { outcome: string; reason?: { code: string } }[] }) =>
      one.ads.filter(({ outcome }) => outcome === 'skipped'),
    );

    const { totals: viewers } = await read('viewers');
    expect(viewers).toMatchObject({ sessionsStarted: 1, sessionsEnded: 0, peakViewers: 1 });
    expect(viewers.minutesWatched * 6).toBeGreaterThan(seen.certain.size - 0.01);
    expect(viewers.minutesWatched * 6).toBeLessThan(seen.possible.size + 0.01);
    const { totals: requests } = await read('requests');
    expect(requests).toMatchObject({ hlsManifests: seen.manifests, dashManifests: 0 });
    expect(requests.latencyP50).toBeGreaterThan(0);
    expect(requests.latencyP50).toBeLessThanOrEqual(requests.latencyP99);

    const { totals } = await read('breaks');
    expect(totals.offered).toBe(breaks.length);
    const seconds = (field: string) => sum(breaks.map((one: Record<string, number>) => one[field]!));
    expect(totals.secondsOffered).toBeCloseTo(seconds('duration'), 2);
    expect(totals.secondsSlate).toBeCloseTo(seconds('slate'), 2);
    expect(totals.secondsFilled).toBeCloseTo(sum(ads.map(({ duration }) => duration)), 2);
    expect(totals.fillRate).toBeCloseTo(totals.secondsFilled / totals.secondsOffered, 4);
    expect(totals.secondsDelivered).toBeCloseTo(
      sum(ads.map((ad: { delivered?: { seconds: number } }) => ad.delivered?.seconds ?? 0)),
      2,
    );

    const requested = breaks.filter(
      ({ request, reason }: { request?: object; reason?: { code: string } }) =>
        request !== undefined && reason?.code !== 'AD_SERVER_NOT_ASKED',
    );
    const byServer = await read('ad-requests', '&by=adServer');
    const { sent, answered, empty, errors, timeouts } = byServer.totals;
    expect([sent, answered + errors + timeouts, empty]).toEqual([requested.length, requested.length, 0]);
    expect(answered).toBeGreaterThan(0);
    expect(new Set(byServer.rows.map(({ key }: { key: string }) => key))).toEqual(new Set([new URL(adHost.url).host]));

    const { totals: shown } = await read('ads');
    // An ad is completed when all its segments were requested.
    const whole = ads.filter(
      ({ duration, delivered }: { duration: number; delivered?: { seconds: number } }) =>
        Math.abs((delivered?.seconds ?? 0) - duration) < 0.05,
    );
    expect(shown.decided).toBe(ads.length);
    expect(shown.completed).toBe(whole.length);
    expect(shown.completed).toBeGreaterThan(0);
    expect(shown.started).toBeGreaterThanOrEqual(shown.completed);
    expect(shown.completionRate).toBeCloseTo(shown.completed / shown.started, 4);
    const { totals: skips } = await read('skips');
    expect(skips.total).toBe(skipped.length);
    for (const code of new Set<string>(skipped.map((ad: { reason: { code: string } }) => ad.reason.code)))
      expect(skips[code]).toBe(skipped.filter((ad: { reason: { code: string } }) => ad.reason.code === code).length);
    const { totals: funnel } = await read('demand-funnel');
    const { started: begun, completed } = shown;
    expect(funnel).toMatchObject({
      opportunities: breaks.length,
      requests: requested.length,
      started: begun,
      completed,
    });
    expect([funnel.offered, funnel.chosen, funnel.adsNotChosen]).toEqual([
      ads.length + skipped.length,
      ads.length,
      skipped.length,
    ]);
    expect(funnel.secondsAvailable).toBeCloseTo(totals.secondsOffered, 2);
    expect((await read('creatives')).totals.conditioned).toBe(2);
  };
  // Counts are flushed every few seconds, and a coming break may still be decided.
  for (;;) {
    const isLast = stage.clock.now() > deadline + 60_000;
    const failure = await compare().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (isLast) throw failure;
    await stage.clock.sleep(1000);
  }
}
