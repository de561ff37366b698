// SPDX-License-Identifier: Apache-2.0
// Analyses live origins, with real media, as the administrative API does.
import { afterEach, expect, test } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../src/adapters/http/httpOrigin.ts';
import { composeOrigins } from '../../src/composition/composeOrigins.ts';
import { createChannelAnalyser } from '../../src/planning/live/analyseChannel.ts';
import { feedLadder } from '../../src/planning/live/feedLadder.ts';
import { realClock } from '../clock/testClock.ts';
import { naming } from '../naming.ts';
import { startMidrollInProcess } from './midrollInProcess.ts';
import { type LiveOrigin, type LiveOriginSetup, startLiveOrigin } from './origin/liveOrigin.ts';

const origins: LiveOrigin[] = [];
afterEach(async () => {
  await Promise.all(origins.splice(0).map((origin) => origin.close()));
});

async function start(setup: Partial<LiveOriginSetup> = {}) {
  const clock = { ...realClock(), now: () => 1_790_000_000_000 as ReturnType<ReturnType<typeof realClock>['now']> };
  const origin = await startLiveOrigin({ clock, ...setup });
  origins.push(origin);
  const http = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }), { timers: clock.timers });
  const analyse = composeOrigins(http, clock);
  return { origin, analyse, analyser: createChannelAnalyser(analyse, clock.timers) };
}

test.each([0, 'unix'] as const)(
  'finds the renditions, the window and the breaks of DASH, media time %s',
  async (mediaTime) => {
    const breaks = { every: 20, seconds: 8, first: 2, lead: 6 };
    const { origin, analyse, analyser } = await start({ mediaTime, breaks, dashMarkers: 'xml+bin', window: 10 });
    const found = await analyser('acme', { sourceManifestUrl: origin.dashUrl });
    if (found === 'busy') throw new Error('busy');
    const { sourceManifestUrl: dash } = found;
    expect(dash).toMatchObject({ isPlayable: true, format: 'dash', serves: 'dash', hasDates: true, problems: [] });
    expect(dash.window?.segments).toBe(10);
    expect(dash.targetDuration).toBeCloseTo(2, 1);
    expect(dash.renditions).toMatchObject([
      { kind: 'video', height: 360, framesPerSecond: 25, isEncrypted: false },
      { kind: 'video', height: 180, framesPerSecond: 25 },
      { kind: 'audio', language: 'en' },
    ]);
    expect(dash.breaks[0]).toMatchObject({
      duration: 8,
      line: expect.any(Number),
      raw: expect.stringContaining('Event'),
    });
    expect(dash.breaks.map(({ startsAt }) => startsAt)).toEqual(origin.breaks(4).map(({ startsAt }) => startsAt));
    const { playable } = await analyse(origin.dashUrl);
    const derived = feedLadder(playable!);
    if (typeof derived === 'string') throw new Error(derived);
    expect(derived.ladder).toMatchObject({ container: 'fmp4', layout: 'separate', frameRate: { n: 25, d: 1 } });
    expect(derived.rungs.map(({ key }) => key)).toEqual(playable!.asset.renditions.map(({ id }) => id));
  },
);

test('states why an origin cannot be used', async () => {
  const { origin, analyser } = await start();
  const problemsOf = async (sourceManifestUrl: string) => {
    const found = await analyser('acme', { sourceManifestUrl });
    if (found === 'busy') throw new Error('busy');
    expect(found.sourceManifestUrl.isPlayable).toBe(false);
    return found.sourceManifestUrl.problems;
  };
  expect(await problemsOf(`${origin.url}/none`)).toEqual([naming(404)]);
  expect(await problemsOf(`${origin.url}/v0/init.mp4`)).toEqual([naming('#EXTM3U', 'MPD')]);
  expect(await problemsOf('file:///etc/passwd')).toEqual([naming('http')]);
});

test('tells how the two origins of a channel are used', async () => {
  const { origin, analyser } = await start();
  const both = await analyser('acme', { sourceManifestUrl: origin.dashUrl, sourceDashUrl: origin.dashUrl });
  expect(both).toMatchObject({ sourceDashUrl: { isPlayable: false, problems: [naming('sourceManifestUrl')] } });
});

test('a channel of type live goes on air with its origin', async () => {
  const clock = realClock();
  const origin = await startLiveOrigin({ clock });
  origins.push(origin);
  const midroll = await startMidrollInProcess(clock);
  try {
    const sources = { sourceManifestUrl: origin.dashUrl };
    expect((await midroll.api('POST', '/channels/analyse', sources)).json.sourceManifestUrl.isPlayable).toBe(true);
    await midroll.create('channels', { id: 'news', type: 'live', state: 'enabled', ...sources });
    const read = async () => (await midroll.api('GET', '/channels/news')).json;
    await expect.poll(async () => (await read()).live?.dash, { timeout: 300_000 }).toMatchObject({ serves: 'dash' });
    expect(await read()).toMatchObject({
      state: 'enabled',
      live: { dash: { url: origin.dashUrl, targetDuration: 3 } },
    });
    expect((await midroll.api('GET', '/channels/news/breaks')).status).toBe(200);
    expect(midroll.bugs()).toEqual([]);
  } finally {
    await midroll.close();
  }
});
