// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, flicks } from '../../time/units.ts';
import type { Asset, Rendition } from '../asset/asset.ts';
import { cutClip } from '../asset/clip.ts';
import { segmentUrl } from '../asset/segmentUrl.ts';
import { captionsOf, fitToLadder, ladderOf } from './ladderOf.ts';
import { dashCell, languagesWithoutRung } from './servedText.ts';

const asset = syntheticAsset({ name: 'asset', segments: [50, 50, 50, 50], qualities: 2 });
const [first, second, audio] = asset.renditions as [
  (typeof asset.renditions)[0],
  (typeof asset.renditions)[0],
  (typeof asset.renditions)[0],
];

function withAudio(from: number, to: number) {
  const borders = [from, 2, 4, 6, to].filter((second, index, all) => index === 0 || second > all[index - 1]!);
  const track = { ...audio.tracks[0]!, borders: Float64Array.from(borders, (second) => second * 48_000) };
  const part = {
    ...asset.parts[0]!,
    cutPoints: Float64Array.from([0, 8], (second) => flicks(second * FLICKS_PER_SECOND)),
  };
  return { ...asset, parts: [part], renditions: [first, second, { ...audio, tracks: [track] }] };
}

test('the target duration covers every listed segment, also where audio starts late or ends early', () => {
  expect(ladderOf([asset]).targetDuration).toBe(3);
  expect(ladderOf([withAudio(0, 7)]).targetDuration).toBe(3);
  expect(ladderOf([withAudio(0, 6)]).targetDuration).toBe(4);
  expect(ladderOf([withAudio(2.5, 8)]).targetDuration).toBe(4);
});

test('the target duration covers a segment whose border moves by half an audio frame (law 4)', () => {
  const ofSeconds = (seconds: number) => {
    const own = syntheticAsset({ name: 'asset', rate: { n: 100, d: 1 }, segments: [200, seconds * 100, 200] });
    return ladderOf([own]).targetDuration;
  };
  expect([3.45, 3.49, 3.5].map(ofSeconds)).toEqual([3, 4, 4]);
});

test('an asset that requires a longer target duration does not fit', () => {
  expect(fitToLadder(withAudio(0, 6), ladderOf([asset]))).toEqual({
    ok: false,
    code: 'TARGET_DURATION',
    reason: naming(3, 2, 'audio', '4.000'),
  });
});

test('an asset of less than half a second does not fit', () => {
  const short = (frames: number) => syntheticAsset({ name: 'short', segments: [frames], qualities: 2 });
  expect(fitToLadder(short(13), ladderOf([asset]))).toMatchObject({ ok: true });
  expect(fitToLadder(short(12), ladderOf([asset]))).toEqual({
    ok: false,
    code: 'TOO_SHORT',
    reason: naming('0.480', '0.5'),
  });
});

const SPOKEN = 'public.accessibility.transcribes-spoken-dialog';
type Text = Partial<Pick<Rendition, 'language' | 'isForced' | 'characteristics' | 'name'>>;

/** An asset of eight seconds with these texts. */
function assetOf(name: string, ...texts: Text[]): Asset {
  const shape = { name, segments: [50, 50, 50, 50], qualities: 2 };
  const asset = syntheticAsset({ ...shape, texts: ['und'] });
  const [text] = asset.renditions.slice(-1);
  return { ...asset, renditions: [...asset.renditions.slice(0, -1), ...texts.map((more) => ({ ...text!, ...more }))] };
}
const textRungsOf = (...assets: [Asset, ...Asset[]]) => ladderOf(assets).rungs.filter(({ kind }) => kind === 'text');
/** The text of an asset that each text rung shows, by the name in its URL. */
function shown(asset: Asset, ladder: ReturnType<typeof ladderOf>): string[] {
  const fit = fitToLadder(asset, ladder, 'key');
  if (!fit.ok) throw new Error(fit.reason);
  const texts = fit.renditions.filter(({ kind }) => kind === 'text');
  return texts.map(({ tracks }) => segmentUrl(tracks[0]!, 0).url.split('/').at(-2)!);
}

test('a ladder has a rung for each language and purpose in its assets', () => {
  const rungs = textRungsOf(
    assetOf('a', { language: 'en', name: 'English' }, { language: 'en', isForced: true }),
    assetOf('b', { language: 'EN' }, { language: 'en', characteristics: SPOKEN }, { language: 'sv' }),
  );
  expect(rungs.map(({ id, language, isForced, characteristics }) => [id, language, isForced, characteristics])).toEqual(
    [
      ['t0', 'en', undefined, undefined],
      ['t1', 'en', true, undefined],
      ['t2', 'en', undefined, SPOKEN],
      ['t3', 'sv', undefined, undefined],
    ],
  );
  expect(rungs[0]).toMatchObject({ name: 'English', codecs: 'wvtt' });
});

test('an asset shows the best match in each rung, and empty text where it has none', () => {
  const full = assetOf('a', { language: 'en' }, { language: 'en', isForced: true }, { language: 'pt-BR' });
  const ladder = ladderOf([full]);
  expect(shown(full, ladder)).toEqual(['3', '4', '5']);
  expect(shown(assetOf('none'), ladder)).toEqual(['e', 'e', 'e']);
  // Captions match subtitles and one variety of Portuguese matches another; forced text matches only forced text.
  const other = assetOf('b', { language: 'pt-PT' }, { language: 'en', characteristics: SPOKEN });
  expect(shown(other, ladder)).toEqual(['4', 'e', '3']);
  expect(shown(assetOf('c', { language: 'en', isForced: true }), ladder)).toEqual(['e', '3', 'e']);
});

test('an asset fits whatever its text; languages without a rung are returned', () => {
  const ladder = ladderOf([assetOf('a', { language: 'en' })]);
  const other = assetOf('b', { language: 'sv' }, { language: 'en-GB' }, { language: 'sv', isForced: true });
  expect(fitToLadder(other, ladder).ok).toBe(true);
  expect(languagesWithoutRung(other, ladder.rungs)).toEqual(['sv']);
  expect(languagesWithoutRung(assetOf('c', { language: 'en' }), ladder.rungs)).toEqual([]);
});

test('text segments begin and end with the video segments, in HLS and in DASH', () => {
  const asset = assetOf('a', { language: 'en' });
  const fit = fitToLadder(asset, ladderOf([asset]), 'key');
  if (!fit.ok) throw new Error(fit.reason);
  const clip = cutClip(
    { kind: 'content', asset, part: 0, from: asset.parts[0]!.cutPoints[1]! as never },
    fit.renditions,
    asset.duration,
  )!;
  const [video, text] = [clip.cells[0]!, clip.cells.at(-1)!];
  expect([text.first, text.end]).toEqual([video.first, video.end]);
  expect(text.track.borders).toEqual(video.track.borders);
  expect(segmentUrl(text.track, 2).url).toBe('../../../m/key/0/3/2.vtt');
  const { track } = dashCell(text);
  expect([segmentUrl(track, 2).url, track.init!.url]).toEqual([
    '../../../m/key/0/3/2.m4s',
    '../../../m/key/0/3/init.mp4',
  ]);
  expect(dashCell(video)).toBe(video);
  expect(dashCell(text)).toBe(dashCell(text));
  expect(flicks(clip.duration)).toBeGreaterThan(0);
});

test('returns the captions of all assets; an empty list only when all assets declare that there are none', () => {
  const withCaptions = (captions: Rendition['captions']): Asset => {
    const asset = assetOf('a');
    const [first, ...others] = asset.renditions;
    return {
      ...asset,
      renditions: [{ ...first!, ...(captions && { captions }) }, ...others.filter(({ kind }) => kind !== 'video')],
    };
  };
  const [some, none, silent] = [withCaptions([{ channel: 'CC1' }]), withCaptions([]), withCaptions(undefined)];
  expect(captionsOf([none, some, silent])).toEqual([{ channel: 'CC1' }]);
  expect(captionsOf([none, none])).toEqual([]);
  expect(captionsOf([none, silent])).toBeUndefined();
});
