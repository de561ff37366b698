// SPDX-License-Identifier: Apache-2.0
// Analyses live origins, with real media, as the administrative API does.
import { expect, test } from 'vitest';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../src/adapters/http/httpOrigin.ts';
import { composeOrigins } from '../../src/composition/composeOnAir.ts';
import { createChannelAnalyser } from '../../src/planning/live/analyseChannel.ts';
import { liveFeedLadder } from '../../src/planning/live/feedLadder.ts';
import { realClock } from '../clock/testClock.ts';
import { naming } from '../naming.ts';
import { openedInTest } from '../opened.ts';
import { startMidrollInProcess } from './midrollInProcess.ts';
import { type LiveOriginSetup, startLiveOrigin } from './origin/liveOrigin.ts';
import { startOriginOfTest } from './origin/originOfTest.ts';

async function start(setup: Partial<LiveOriginSetup> = {}) {
  const { clock, origin } = await startOriginOfTest(setup);
  const http = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }), { timers: clock.timers });
  const analyse = composeOrigins(http, clock, () => undefined);
  return { clock, origin, analyse, analyser: createChannelAnalyser(analyse, clock.timers) };
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
    const derived = liveFeedLadder(playable!);
    if (typeof derived === 'string') throw new Error(derived);
    expect(derived.ladder).toMatchObject({ container: 'fmp4', layout: 'separate', frameRate: { n: 25, d: 1 } });
    expect(derived.rungs.map(({ key }) => key)).toEqual(playable!.asset.renditions.map(({ id }) => id));
  },
);

test.each<[string, Partial<LiveOriginSetup>, object, object[]]>([
  [
    'CMAF with separate sound in two languages',
    { languages: ['en', 'sv'], mediaTime: 'unix' },
    { serves: 'both', hasDates: true },
    [
      { kind: 'video', height: 360, framesPerSecond: 25, isEncrypted: false },
      { kind: 'video', height: 180, framesPerSecond: 25 },
      { kind: 'audio', language: 'en' },
      { kind: 'audio', language: 'sv' },
    ],
  ],
  [
    'MPEG-TS with sound in the video',
    { packaging: 'muxed' },
    { serves: 'hls', noDash: naming('MPEG-TS') },
    [
      { kind: 'muxed', height: 360 },
      { kind: 'muxed', height: 180 },
    ],
  ],
  [
    'MPEG-TS with separate sound',
    { packaging: 'ts', mediaTime: 'unix' },
    { serves: 'hls', noDash: naming('MPEG-TS') },
    [{ kind: 'video' }, { kind: 'video' }, { kind: 'audio', language: 'en' }],
  ],
  [
    'WebVTT, byte ranges and EXT-X-DEFINE',
    { subtitles: 'vtt', byteRanges: true, defines: true },
    { serves: 'both' },
    [{ kind: 'video' }, { kind: 'video' }, { kind: 'audio' }, { kind: 'text', language: 'en' }],
  ],
  [
    'AES-128 with a new key every four segments',
    { encryption: { rotation: 4 } },
    { serves: 'hls', noDash: naming('AES-128') },
    [{ kind: 'video', isEncrypted: true }, { kind: 'video' }, { kind: 'audio' }],
  ],
  [
    'AES-128 with a new key for each segment',
    { encryption: { rotation: 1, isIvStated: true } },
    { serves: 'hls' },
    [{ kind: 'video', isEncrypted: true, framesPerSecond: 25 }, { kind: 'video' }, { kind: 'audio' }],
  ],
  [
    'no dates',
    { dates: 'none' },
    { serves: 'hls', noDash: naming('EXT-X-PROGRAM-DATE-TIME'), hasDates: false },
    [{ kind: 'video' }, { kind: 'video' }, { kind: 'audio' }],
  ],
])('finds the renditions, the window and the breaks of HLS: %s', async (_name, setup, facts, renditions) => {
  const marked = { breaks: { every: 20, seconds: 8, first: 2 }, hlsMarkers: 'cue' } as const;
  const { clock, origin, analyse, analyser } = await start({ ...marked, window: 10, ...setup });
  clock.at += 40_000;
  const found = await analyser('acme', { sourceManifestUrl: origin.hlsUrl.replace('/master', '/moved/master') });
  if (found === 'busy') throw new Error('busy');
  const { sourceManifestUrl: hls } = found;
  expect(hls).toMatchObject({ isPlayable: true, format: 'hls', targetDuration: 2, problems: [], ...facts });
  expect(hls.window).toMatchObject({ segments: 10 });
  expect(hls.window?.seconds).toBeCloseTo(20, 1);
  expect(hls.renditions).toMatchObject(renditions);
  expect(hls.breaks.length).toBeGreaterThan(0);
  const starts = origin.breaks(0).map(({ startsAt }) => startsAt);
  if (hls.hasDates) expect(starts).toEqual(expect.arrayContaining(hls.breaks.map(({ startsAt }) => startsAt)));
  const { playable } = await analyse(origin.hlsUrl);
  const derived = liveFeedLadder(playable!);
  if (typeof derived === 'string') throw new Error(derived);
  expect(derived.rungs.map(({ key }) => key)).toEqual(playable!.asset.renditions.map(({ id }) => id));
});

test('states why HLS cannot be made from an MPD', async () => {
  const { origin, analyse } = await start();
  expect((await analyse(origin.dashUrl)).playable).not.toHaveProperty('noHls');
  const moveSound = (mpd: string) =>
    mpd.replace(
      /(contentType="audio".*?presentationTimeOffset=")(\d+)/s,
      (_, before, offset) => before + (Number(offset) + 480_000),
    );
  origin.fail(({ kind }) => (kind === 'mpd' ? { does: 'rewrite', rewrite: moveSound } : undefined));
  expect((await analyse(origin.dashUrl)).playable).toMatchObject({
    serves: 'dash',
    noHls: naming('10.000 s', 'presentationTimeOffset'),
  });
});

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
  expect(both).toMatchObject({ sourceDashUrl: { isPlayable: false, problems: [naming('first origin', 'MPD')] } });
});

test.each([
  ['DASH', 'dash', { serves: 'dash', targetDuration: 3 }],
  ['HLS', 'hls', { serves: 'both', targetDuration: 3 }],
] as const)('a channel of type live goes on air with its %s origin', async (_name, format, facts) => {
  const clock = realClock();
  const origin = await openedInTest(startLiveOrigin({ clock }));
  const midroll = await openedInTest(startMidrollInProcess(clock));
  const url = format === 'dash' ? origin.dashUrl : origin.hlsUrl;
  const sources = { sourceManifestUrl: url };
  expect((await midroll.api('POST', '/channels/analyse', sources)).json.sourceManifestUrl.isPlayable).toBe(true);
  await midroll.create('channels', { id: 'news', type: 'live', state: 'enabled', ...sources });
  const read = async () => (await midroll.api('GET', '/channels/news')).json;
  await expect.poll(async () => (await read()).live?.[format], { timeout: 300_000 }).toMatchObject(facts);
  expect(await read()).toMatchObject({ state: 'enabled', live: { [format]: { url } } });
  expect((await midroll.api('GET', '/channels/news/breaks')).status).toBe(200);
  expect(midroll.bugs()).toEqual([]);
});
