// SPDX-License-Identifier: Apache-2.0
// One channel of `bench:prefetch`: its viewers come and go, its breaks come without notice, and every fourth break has a creative
// that is new and takes half a minute to condition.

import { setMaxListeners } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeVast } from '../test/live/adHost.ts';
import { airLive, startOrigin } from '../test/live/liveStage.ts';
import type { Stage } from '../test/live/stage.ts';
import { makeSpot } from '../test/live/testVideos.ts';
import { seededRandom } from '../test/seededRandom.ts';

export type PrefetchSetup = {
  readonly prefetch: string;
  /** Milliseconds until the ad server responds. */
  readonly delay: number;
  readonly viewers: number;
  readonly source: (path: string) => { readonly url: string };
};

export type PrefetchRun = {
  /** Decided breaks of viewers who were watching when a break began. */
  readonly breaks: number;
  /** The share of them with an ad, and with an ad at the first segment. */
  readonly withAds: number;
  readonly withFirst: number;
  readonly requestsPerHour: number;
  /** The share of prefetched responses that no break used, of those that a break could have used. */
  readonly unused?: number;
};

setMaxListeners(0);
/** Milliseconds of the clock. */
const LENGTH = Number(process.env.BENCH_MINUTES ?? 32) * 60_000;
const POLL = 2000;
const MEAN_STAY = 15 * 60_000;
const CONDITIONING = 30_000;
/** Seconds. */
const SPOT = 10;
const BREAK = 20;
const BREAKS_PER_CREATIVE = 4;

type Visit = { readonly session: string; readonly from: number; until: number };

export async function runPrefetch(stage: Stage, setup: PrefetchSetup): Promise<PrefetchRun> {
  const { clock, adHost, midroll } = stage;
  const { prefetch, delay } = setup;
  const id = `${prefetch}-${delay}`;
  const random = seededRandom(delay + prefetch.length);
  const origin = await startOrigin(stage, { hlsMarkers: 'cue', window: 8 });
  const bytes = await readFile(join(stage.origin.folder, (await makeSpot(stage.origin.folder, id, SPOT)).slice(1)));
  /** Breaks that are over. */
  let over = 0;
  adHost.on(`/${id}`, (response) => {
    const creative = Math.floor(over / BREAKS_PER_CREATIVE);
    const url = `${adHost.url}/${id}-${creative}.mp4`;
    adHost.on(`/${id}-${creative}.mp4`, (media) => {
      void clock.sleep(creative === 0 ? 0 : CONDITIONING).then(() => {
        media.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
        media.end(bytes);
      });
    });
    void clock.sleep(delay).then(() => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end(writeVast([{ id: `${creative}`, seconds: SPOT, url }]));
    });
  });
  const adSource = { ...setup.source(`/${id}`), timeoutMs: 4000 };
  await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl }, { adSource, prefetch });
  const until = clock.now() + LENGTH;
  const visits: Visit[] = [];

  async function open(): Promise<{ readonly session: string; readonly url: string }> {
    for (;;) {
      const base = `${midroll.liveUrl}/hls/${id}/`;
      const response = await fetch(`${base}master.m3u8?api-key=key&viewer=${visits.length}`);
      const path = /^([^#\s]+\.m3u8)$/m.exec(await response.text())?.[1];
      if (response.status === 200 && path !== undefined) return { session: path.split('/')[0]!, url: base + path };
      await clock.sleep(1000);
    }
  }

  /** Watches, leaves, and is followed by another viewer. */
  async function watch(): Promise<void> {
    await clock.sleep(POLL * random());
    while (clock.now() < until) {
      const { session, url } = await open();
      const visit = { session, from: clock.now(), until: clock.now() };
      visits.push(visit);
      const leavesAt = Math.min(until, clock.now() - MEAN_STAY * Math.log(1 - random()));
      while (clock.now() < leavesAt) {
        await (await fetch(url)).arrayBuffer();
        visit.until = clock.now();
        await clock.sleep(POLL);
      }
    }
  }

  async function airBreaks(): Promise<void> {
    while (clock.now() < until) {
      await clock.sleep((120 + 120 * random()) * 1000);
      origin.broadcast.addBreak(clock.now(), { seconds: BREAK });
      await clock.sleep((BREAK + 10) * 1000);
      over += 1;
    }
  }

  await Promise.all([airBreaks(), ...Array.from({ length: setup.viewers }, watch)]);
  const requests = adHost.seen.filter(({ path }) => path.startsWith(`/${id}?`));
  const traces = await Promise.all(
    visits.map(async (visit) => ({
      visit,
      breaks: (await midroll.api('GET', `/sessions/${visit.session}`)).json?.breaks,
    })),
  );
  type Traced = { at: number; startsAt: string; prefetched?: true; ads: { outcome: string; startsAt?: string }[] };
  const all = traces.flatMap(({ visit, breaks = [] }) =>
    (breaks as Traced[])
      .map((one) => ({ ...one, at: Date.parse(one.startsAt) }))
      .filter(({ at }) => visit.from < at && visit.until > at + 12_000),
  );
  const shown = (one: Traced) => one.ads.filter(({ outcome }) => outcome === 'stitched');
  const isFirst = (one: Traced) => shown(one).some(({ startsAt }) => Math.abs(Date.parse(startsAt!) - one.at) < 100);
  const hours = visits.reduce((sum, visit) => sum + visit.until - visit.from, 0) / 3_600_000;
  const sent = requests.filter(({ path }) => path.includes('break=prefetch-')).length;
  const used = traces.flatMap(({ breaks = [] }) => breaks as Traced[]).filter(({ prefetched }) => prefetched).length;
  // Those of viewers who were still watching at the end may be used later.
  const ready = visits.filter((visit) => visit.until > until - 2 * POLL).length;
  return {
    breaks: all.length,
    withAds: all.filter((one) => shown(one).length > 0).length / all.length,
    withFirst: all.filter(isFirst).length / all.length,
    requestsPerHour: requests.length / hours,
    ...(prefetch === 'decision' ? { unused: Math.max(0, sent - used - ready) / (sent - ready) } : {}),
  };
}
