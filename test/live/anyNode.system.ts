// SPDX-License-Identifier: Apache-2.0
// Two processes on one PostgreSQL show a viewer one live stream, whichever process responds to a request: caches of the origin
// state different edges to them, one process is killed in a break, and the other one is suspended.
import { afterAll, expect, test } from 'vitest';
import { expectNoFaults } from '../browser/expectSmoothPlayback.ts';
import type { Fault } from '../browser/judgeFaults.ts';
import { watchLoad } from '../browser/machineLoad.ts';
import { opened, scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { sendToAnyOf } from './anyNode.ts';
import { airLive, offerSpots, startOrigin } from './liveStage.ts';
import { edgeOf, expectExactBreaks, type MeantBreak, meantBreaks } from './liveTruth.ts';
import { type MidrollProcess, startMidroll } from './midroll.ts';
import type { LiveOrigin } from './origin/liveOrigin.ts';
import { expectBeacons } from './scenarios/liveBreaks.ts';
import { decisionOf, openStageOf, type TracedBreak, titlesOf } from './stage.ts';
import type { Viewer, Watching } from './viewer.ts';

const dataDir = scratchFolder();
const load = await opened(watchLoad());

const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
const first = await opened(startMidroll(settings));
const second = await opened(startMidroll({ ...settings, ROLE: 'serve' }));
const nodes = [first, second] as const;
const stage = await opened(openStageOf(first));
afterAll(second.resume);

type Ready = { readonly origin: LiveOrigin; readonly viewers: readonly Viewer[] };

/** Seconds. */
const LENGTH = 12;

/** The origin redirects each client to one of two caches. The second one is up to two segments behind. */
async function startCachedOrigin(random: () => number): Promise<LiveOrigin> {
  const origin = await startOrigin(stage, { hlsMarkers: 'daterange', window: 24 });
  let clients = 0;
  origin.fail(({ kind, edge }) => {
    if (kind === 'multivariant' && edge === '') {
      clients += 1;
      return { does: 'redirect', to: `/edge${clients % 2}/master.m3u8` };
    }
    if (kind !== 'media' || edge !== '1') return undefined;
    return { does: 'older', segments: Math.floor(3 * random()) };
  });
  return origin;
}

const meantIn = (origin: LiveOrigin): MeantBreak[] => meantBreaks(origin, ({ end }) => end!);

type Kind = { readonly isAnnounced: boolean; readonly behaviour?: 'early' };

/** Airs a break and waits until both viewers have seen all of it. @param during runs when both have seen its start */
async function airBreak({ origin, viewers }: Ready, kind: Kind, during = async () => {}): Promise<void> {
  const { isAnnounced, ...behaviour } = kind;
  const ahead = isAnnounced ? 6 : 1;
  const one = { in: ahead, lead: ahead - 1, seconds: LENGTH, ...behaviour };
  const { id } = origin.broadcast.addBreak(stage.clock.now(), isAnnounced ? one : { ...one, lead: 0 });
  const { startsAt, endsAt } = meantIn(origin).find((each) => each.id === id)!;
  // Dates in an MPD may be later by up to two segments.
  const havePassed = async (at: number) => {
    for (const viewer of viewers)
      await viewer.until(`the edge has passed ${at}`, () => viewer.rungs.every((rung) => edgeOf(viewer, rung) > at));
  };
  await havePassed(startsAt + 2000);
  await during();
  await havePassed(endsAt + 8000);
}

/** What a process responds to the requests for the manifests of a session. */
async function manifestsOf({ liveUrl }: MidrollProcess, { session, rungs }: Viewer, isHls: boolean): Promise<string[]> {
  const paths = isHls ? rungs.map((rung) => `hls/any/${session}/${rung}.m3u8`) : [`dash/any/${session}.mpd`];
  const responses = await Promise.all(paths.map((path) => fetch(`${liveUrl}/${path}`)));
  const texts = await Promise.all(responses.map((response) => response.text()));
  return texts.map((text) => text.replaceAll(liveUrl, '').replace(/ publishTime="[^"]*"/, ''));
}

/** Milliseconds. Another process may repeat a request after its timeout and this margin: the first one had no time to finish. */
const CLAIM_MARGIN = 3000;

/** In the breaks in which no process was killed or suspended, there is one. On a busy machine, a claim may expire. */
function repeatedRequests(name: string, traced: readonly TracedBreak[]): Fault[] {
  const requested = stage.adHost.seen.flatMap(({ path, at }) => {
    const { searchParams } = new URL(path, stage.adHost.url);
    return searchParams.get('viewer') === name ? [{ id: searchParams.get('break'), at }] : [];
  });
  expect(requested.length).toBeGreaterThanOrEqual(3);
  return [0, 2, 4].flatMap((index) => {
    const times = requested.filter(({ id }) => id === traced[index]!.id).map(({ at }) => at);
    return times.slice(1).map((at, before): Fault => {
      const length = at - times[before]!;
      const what = `the ads of break ${index} were requested again after ${length} ms`;
      return { what, wall: at, length, ...(length < CLAIM_MARGIN ? { cause: 'stream' } : {}) };
    });
  });
}

test('a viewer is shown one stream by two processes that are killed and suspended', async () => {
  const random = seededRandom(1);
  const origin = await startCachedOrigin(random);
  await airLive(stage, 'any', { sourceManifestUrl: origin.hlsUrl });
  await offerSpots(stage, 'any');
  const watching: Partial<Watching> = { send: sendToAnyOf(nodes, random), isTimed: false, fetches: 'ours' };
  const hls = await stage.watch('any', { ...watching, query: 'viewer=hls', dash: false });
  const dash = await stage.watch('any', { ...watching, query: 'viewer=dash', hls: false, opens: 'dash' });
  const viewers = [hls, dash];
  const ready = { origin, viewers };

  await airBreak(ready, { isAnnounced: true });
  await airBreak(ready, { isAnnounced: false }, async () => {
    await nodes[0].kill();
    await nodes[0].restart();
  });
  await airBreak(ready, { isAnnounced: false, behaviour: 'early' });
  await airBreak(ready, { isAnnounced: true }, async () => {
    nodes[1].suspend();
    const before = edgeOf(hls, hls.rungs[0]!);
    await hls.until('three segments are new', () => edgeOf(hls, hls.rungs[0]!) > before + 5500);
    nodes[1].resume();
  });
  await airBreak(ready, { isAnnounced: false });

  for (const viewer of viewers) {
    const agree = async () => {
      const [one, other] = await Promise.all(nodes.map((node) => manifestsOf(node, viewer, viewer === hls)));
      return JSON.stringify(one) === JSON.stringify(other);
    };
    await viewer.until('both processes respond the same', agree);
  }
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  const repeated: Fault[] = [];
  for (const viewer of viewers) {
    expect(viewer.faults).toEqual([]);
    expectExactBreaks(viewer, origin, meantIn(origin), Number.POSITIVE_INFINITY);
    const traced = await stage.breaks(viewer);
    // One decision for each break, the same for each process.
    expect(traced.map(({ at }) => at)).toEqual(meantIn(origin).map(({ startsAt }) => startsAt));
    expect((await nodes[1].api('GET', `/sessions/${viewer.session}`)).json.breaks.map(decisionOf)).toEqual(
      (await stage.midroll.api('GET', `/sessions/${viewer.session}`)).json.breaks.map(decisionOf),
    );
    repeated.push(...repeatedRequests(viewer === hls ? 'hls' : 'dash', traced));
    expect(traced.some((one) => titlesOf(one).length === 2)).toBe(true);
    await expectBeacons(stage, viewer, traced);
  }
  expect(nodes.flatMap((node) => node.bugs())).toEqual([]);
  expectNoFaults(repeated, load.since(0));
});
