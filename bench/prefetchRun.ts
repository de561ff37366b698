// SPDX-License-Identifier: Apache-2.0
// One channel of `bench:prefetch`: viewers come and go, breaks come without notice, and the ad of every second break is new and
// takes half a minute to download.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ad } from '../test/live/adHost.ts';
import { adRequests, airUnannounced, conditioned, offerSlowly } from '../test/live/prefetch/prefetchStage.ts';
import type { Stage } from '../test/live/stage.ts';
import { makeSpot } from '../test/live/testVideos.ts';
import { seededRandom } from '../test/seededRandom.ts';
import { countPrefetch, type PrefetchRun, type TracedPrefetch, type Visit } from './prefetchCount.ts';

export type PrefetchSetup = {
  readonly prefetch: string;
  /** Milliseconds until the ad server responds. */
  readonly delay: number;
  readonly viewers: number;
  readonly breaks: number;
};

/** Milliseconds of the clock. Players poll once in a target duration, which is the length of a segment. */
const POLL = 4000;
/** While no break is near, players skip polls, which saves time. */
const RARE = 3;
const NEAR_BEFORE = 12_000;
const NEAR_AFTER = 30_000;
/** Players start at multiples of it, as the live edge moves. */
const STEP = 250;
const MEAN_STAY = 15 * 60_000;
const DOWNLOAD = 30_000;
const GAP = { least: 90_000, more: 60_000 };
/** Seconds. */
const SPOT = 4;
const BREAK = 16;

const stepped = (ms: number): number => STEP * Math.max(1, Math.round(ms / STEP));

export async function runPrefetch(stage: Stage, { prefetch, delay, ...setup }: PrefetchSetup): Promise<PrefetchRun> {
  const { clock, adHost, midroll, origin: media } = stage;
  const id = `${prefetch}-${delay}`;
  // The same viewers and breaks for each setting.
  const random = seededRandom(16);
  const bytes = await readFile(join(media.folder, (await makeSpot(media.folder, id, SPOT)).slice(1)));
  const adOf = (creative: number): Ad => {
    const path = `/${id}-${creative}.mp4`;
    adHost.on(path, (response) => {
      void clock.sleep(creative === 0 ? 0 : DOWNLOAD).then(() => {
        response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
        response.end(bytes);
      });
    });
    return { id: `${creative}`, seconds: SPOT, url: adHost.url + path };
  };
  const known = adOf(0);
  const offer = offerSlowly(stage, id, { delay, ads: [known] });
  const origin = await airUnannounced(stage, id, { prefetch }, 'cue', 'long');
  await conditioned(stage, id, [known]);

  const start = clock.now() + 60_000;
  const startsAt: number[] = [];
  for (let at = start; startsAt.length < setup.breaks; at += stepped(GAP.least + GAP.more * random()))
    startsAt.push(at);
  const until = startsAt.at(-1)! + 60_000;
  const visits: Visit[] = [];
  const isNear = (now: number): boolean => startsAt.some((at) => now >= at - NEAR_BEFORE && now < at + NEAR_AFTER);
  /** Between breaks, the phase of a player drifts. */
  const untilPoll = (now: number, drift: number): number => {
    if (isNear(now)) return POLL;
    const next = startsAt.find((at) => at - NEAR_BEFORE > now) ?? Number.POSITIVE_INFINITY;
    return POLL * Math.min(RARE, Math.ceil((next - NEAR_BEFORE - now) / POLL)) + stepped(POLL * drift);
  };

  async function open(viewer: string): Promise<{ readonly session: string; readonly url: string }> {
    for (;;) {
      const base = `${midroll.liveUrl}/hls/${id}/`;
      const response = await fetch(`${base}master.m3u8?api-key=key&viewer=${viewer}`);
      const path = /^([^#\s]+\.m3u8)$/m.exec(await response.text())?.[1];
      if (response.status === 200 && path !== undefined) return { session: path.split('/')[0]!, url: base + path };
      await clock.sleep(1000);
    }
  }

  /** Watches, leaves, and is followed by another viewer. */
  async function watch(_: unknown, seat: number): Promise<void> {
    const own = seededRandom(100 + seat);
    await clock.sleep(stepped(POLL * own()));
    for (let number = 0; clock.now() < until; number += 1) {
      const viewer = `${seat}.${number}`;
      const leavesAt = Math.min(until, clock.now() - MEAN_STAY * Math.log(1 - own()));
      const { session, url } = await open(viewer);
      const isLast = leavesAt === until;
      const visit = { viewer, session, from: clock.now(), until: clock.now(), isLast };
      visits.push(visit);
      while (clock.now() < leavesAt) {
        await (await fetch(url)).arrayBuffer();
        visit.until = clock.now();
        await clock.sleep(untilPoll(clock.now(), own()));
      }
    }
  }

  async function airBreaks(): Promise<void> {
    for (const [index, at] of startsAt.entries()) {
      await clock.sleep(at - clock.now());
      origin.broadcast.addBreak(at, { seconds: BREAK });
      // Its ads have been requested by then; those of the next break are requested later.
      await clock.sleep(BREAK * 1000);
      offer.ads = [index % 2 === 0 ? adOf(index + 1) : known];
    }
  }

  await Promise.all([airBreaks(), ...Array.from({ length: setup.viewers }, watch)]);
  const traces = await Promise.all(
    visits.map(async ({ session }) => (await midroll.api('GET', `/sessions/${session}`)).json.breaks),
  );
  const traced: TracedPrefetch[] = traces.map((breaks) =>
    breaks.map((one: { startsAt: string }) => ({ ...one, at: Date.parse(one.startsAt) })),
  );
  return countPrefetch({ visits, traced, startsAt, requests: adRequests(stage, id) });
}
