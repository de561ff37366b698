// SPDX-License-Identifier: Apache-2.0
// The media of VoD presentations: every span decodes, and lasts as long as the manifests state, so that all of them together
// have no gap. Shapes differ in frame rate, sample rate, segment length and container.
import { expect } from 'vitest';
import { readFragmentTimes } from '../../../src/mp4/readFragmentTimes.ts';
import { readInit } from '../../../src/mp4/readInit.ts';
import { mapName } from '../../laws/readBack.ts';
import { decodeEach, spansOf } from '../../live/decode.ts';
import { adSource, type Stage } from '../../live/stage.ts';
import type { VideoShape } from '../../live/testVideos.ts';
import { airVod, openVod, readVod, seenPeriods, seenPlaylist, type VodView } from '../watchVod.ts';

type Shape = VideoShape & { readonly frameRate: number };

const mixed: readonly Shape[] = [
  { seconds: 11.52, rate: '25', frameRate: 25, framesPerSegment: 48, sampleRate: 48_000 },
  { seconds: 12.012, rate: '30000/1001', frameRate: 30_000 / 1001, framesPerSegment: 60, sampleRate: 44_100 },
  { seconds: 12.012, rate: '24000/1001', frameRate: 24_000 / 1001, framesPerSegment: 144, container: 'dash' },
];
const transport: Shape = { seconds: 8, frameRate: 25, container: 'ts' };
const AD = 4;
const AD_RATE = 25;
/** Of AAC, in samples. */
const FRAME = 1024;

/** A break before, within and after each item: as many borders as possible. */
async function open(stage: Stage, channel: string, shapes: readonly Shape[]) {
  const [videos, spot] = await Promise.all([
    Promise.all(shapes.map(({ frameRate: _, ...shape }) => stage.video(shape))),
    stage.spot(AD),
  ]);
  stage.adHost.offer(`/${channel}`, () => [{ id: 'four', seconds: AD, url: spot }]);
  const cuePoints = [{ spliceTime: 0 }, { spliceTime: 5 }, { spliceTime: -1 }];
  const contents = videos.map((url) => ({ sourceType: 'url', url, cuePoints }));
  await airVod(stage, channel, contents, { adSource: adSource(stage.adHost, `/${channel}`) });
  const view = await openVod(stage, channel);
  const rateOf = (uri: string): number =>
    shapes[videos.findIndex((video) => uri.startsWith(new URL('.', video).href))]?.frameRate ?? AD_RATE;
  return { view, rateOf };
}

/** @returns the bytes of segments and init sections, by URI */
async function download(base: string, uris: Iterable<string>): Promise<Map<string, Uint8Array>> {
  const media = new Map<string, Uint8Array>();
  const one = async (uri: string) => {
    const response = await fetch(new URL(uri, base));
    expect([uri, response.status]).toEqual([uri, 200]);
    media.set(uri, new Uint8Array(await response.arrayBuffer()));
  };
  await Promise.all([...new Set(uris)].map(one));
  return media;
}

async function decodeRung(stage: Stage, channel: string, { sessionId }: VodView, rung: string) {
  const manifests = await readVod(stage.midroll, channel, sessionId);
  const { segments } = seenPlaylist(manifests, rung);
  const uris = segments.flatMap((segment) => [segment.uri, mapName(segment) ?? segment.uri]);
  const media = await download(`${stage.midroll.liveUrl}/hls/${channel}/${sessionId}/`, uris);
  return decodeEach(spansOf(segments), media);
}

async function expectVideoDecodes(stage: Stage, channel: string, opened: Awaited<ReturnType<typeof open>>) {
  for (const { seconds, frames, decoderErrors, uris } of await decodeRung(stage, channel, opened.view, 'v0')) {
    expect(decoderErrors, uris.join('\n')).toBe('');
    expect(frames.video, uris.join('\n')).toBe(Math.round(seconds * opened.rateOf(uris[0]!)));
  }
}

/** Each Period begins at the media time that it states, and its segments last as long as the Period. */
async function expectPeriodsMatchMedia(stage: Stage, channel: string, { sessionId, durationSeconds }: VodView) {
  const manifests = await readVod(stage.midroll, channel, sessionId);
  const { mpd } = manifests;
  const base = `${stage.midroll.liveUrl}/dash/${channel}/${sessionId}/`;
  const inits = [...mpd!.matchAll(/<Period[\s\S]*?<\/Period>/g)].map(([period]) => period);
  const periods = seenPeriods(manifests);
  let end = 0;
  for (const [index, { start, duration, offsets, urls }] of periods.entries()) {
    expect(Math.abs(start - end), `the start of Period ${index}`).toBeLessThanOrEqual(1);
    end = start + duration!;
    for (const [id, listed] of Object.entries(urls)) {
      const set = inits[index]!.slice(inits[index]!.indexOf(`<Representation id="${id}"`));
      const init = /initialization="([^"]*)"/.exec(set)![1]!.replaceAll('$RepresentationID$', id);
      const media = await download(base, [init, ...listed]);
      const { timescale } = readInit(media.get(init)!)![0]!;
      const fragments = listed.flatMap((uri) => readFragmentTimes(media.get(uri)!).fragments);
      const from = (fragments[0]!.decodeTime - Number(offsets[id])) / timescale;
      const length = fragments.reduce((sum, one) => sum + one.duration, 0) / timescale;
      // Audio borders are within half a frame of the border of the picture.
      const precision = id.startsWith('a') ? (1.1 * FRAME) / 44_100 : 0.0011;
      const what = `${id} of Period ${index}`;
      expect(Math.abs(from), what).toBeLessThan(precision);
      expect(Math.abs(from + length - duration! / 1000), what).toBeLessThan(precision);
    }
  }
  expect(Math.abs(end / 1000 - durationSeconds)).toBeLessThan(0.002);
}

export async function mixedItemsAreGapless(stage: Stage): Promise<void> {
  const opened = await open(stage, 'mixed', mixed);
  const { view } = opened;
  // Where the last break of an item meets the first of the next, they are one.
  expect(view.breaks.length).toBeGreaterThanOrEqual(6);
  expect(Math.abs(view.durationSeconds - view.contentDurationSeconds - view.breaks.length * AD)).toBeLessThan(0.001);
  await expectVideoDecodes(stage, 'mixed', opened);
  const sounds = await decodeRung(stage, 'mixed', view, 'a0');
  for (const { decoderErrors, uris } of sounds) expect(decoderErrors, uris.join('\n')).toBe('');
  await expectPeriodsMatchMedia(stage, 'mixed', view);
}

export async function transportStreamsAreGapless(stage: Stage): Promise<void> {
  const opened = await open(stage, 'ts', [transport, transport]);
  expect(opened.view).toMatchObject({ contentDurationSeconds: 16, durationSeconds: 16 + 5 * AD });
  await expectVideoDecodes(stage, 'ts', opened);
  const refused = await fetch(`${stage.midroll.liveUrl}/dash/view/ts?api-key=key`);
  expect(refused.status).toBe(409);
}
