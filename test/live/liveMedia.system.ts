// SPDX-License-Identifier: Apache-2.0
// Live origins of every kind of media, on a virtual clock.
import { expect, test } from 'vitest';
import { isOurs } from '../laws/readBack.ts';
import { naming } from '../naming.ts';
import { fileStage } from './fileStage.ts';
import { airLive, offerSpots, segmentsOf, startOrigin } from './liveStage.ts';
import { instantOf } from './liveTruth.ts';
import { playLiveBreaks } from './scenarios/liveBreaks.ts';
import { liveMediaCases } from './scenarios/liveMediaCases.ts';
import { playCommonEncryption, playSampleAes } from './scenarios/liveProtection.ts';

const stage = await fileStage();

test.concurrent.each(liveMediaCases)('$name', async (one) => {
  await playLiveBreaks(stage, one);
});

test.concurrent('SAMPLE-AES is declared for content and not for ads', () => playSampleAes(stage));
test.concurrent('Common Encryption is declared for content and not for ads', () => playCommonEncryption(stage));

test.concurrent('subtitles that list no segment are empty until they do', async () => {
  const origin = await startOrigin(stage, { hlsMarkers: 'cue', packaging: 'muxed', subtitles: 'vtt', window: 8 });
  await airLive(stage, 'no-text', { sourceManifestUrl: origin.hlsUrl });
  await offerSpots(stage, 'no-text');
  const stop = origin.fail(({ path }) =>
    path === '/t0.m3u8' ? { does: 'rewrite', rewrite: (text) => text.replace(/#EXT-X-PROGRAM[\s\S]*/, '') } : undefined,
  );
  const viewer = await stage.watch('no-text', { dash: false });
  const texts = () => segmentsOf(viewer, 't0');
  await viewer.until('ten segments are listed', () => texts().length >= 10);
  expect(texts().every(({ uri }) => isOurs(uri))).toBe(true);
  const { json } = await stage.midroll.api('GET', '/channels/no-text');
  expect(json.live.hls.health).toMatchObject({ state: 'ok', warnings: [naming('lists no segment')] });
  stop();
  await viewer.until('subtitles are listed', () => texts().filter(({ uri }) => !isOurs(uri)).length >= 5);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  const pictures = viewer.listed.get('v0')!;
  for (const { number, uri, date, duration } of texts()) {
    expect([pictures.get(number)!.date, pictures.get(number)!.duration]).toEqual([date, duration]);
    const body = new TextDecoder().decode(viewer.media.get(uri));
    expect(body.includes('-->')).toBe(!isOurs(uri));
    if (!isOurs(uri)) expect(instantOf(origin, uri)).toBe(date);
  }
});

test.concurrent('a Period without subtitles plays with empty ones', async () => {
  const origin = await startOrigin(stage, { subtitles: 'wvtt', loops: 'discontinuity', window: 8 });
  await airLive(stage, 'period', { sourceManifestUrl: origin.dashUrl });
  await offerSpots(stage, 'period');
  const run = origin.broadcast.runs[0]!;
  const bare = origin.broadcast.stretchOf(run, origin.broadcast.edgeAt(run, stage.clock.now())) + 1;
  const withoutText = (period: string): string => period.replace(/<AdaptationSet id="9"[\s\S]*?<\/AdaptationSet>/, '');
  origin.fail(({ kind }) => {
    const period = new RegExp(`<Period id="r0p${bare}"[\\s\\S]*?</Period>`);
    return kind === 'mpd' ? { does: 'rewrite', rewrite: (text) => text.replace(period, withoutText) } : undefined;
  });
  const viewer = await stage.watch('period', { hls: false, opens: 'dash' });
  const stretchesOf = (rung: string): string[] => [
    ...new Set(segmentsOf(viewer, rung).map(({ uri }) => (isOurs(uri) ? 'ours' : uri.split('/').at(-2)!))),
  ];
  const all = [bare - 1, bare, bare + 1].map(String);
  await viewer.until('three Periods are listed', () => stretchesOf('v0').includes(all[2]!));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(stretchesOf('v0').slice(-3)).toEqual(all);
  expect(stretchesOf('t0').slice(-3)).toEqual([all[0], 'ours', all[2]]);
  expect(segmentsOf(viewer, 't0').map(({ date }) => date)).toEqual(segmentsOf(viewer, 'v0').map(({ date }) => date));
});
