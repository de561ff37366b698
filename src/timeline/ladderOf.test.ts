import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { naming } from '../../test/naming.ts';
import { FLICKS_PER_SECOND, flicks } from '../time/units.ts';
import { fitToLadder, ladderOf } from './ladderOf.ts';

const film = syntheticAsset({
  name: 'film',
  rate: { n: 25, d: 1 },
  sampleRate: 48_000,
  segments: [50, 50, 50, 50],
  qualities: 2,
});
const [first, second, sound] = film.renditions as [
  (typeof film.renditions)[0],
  (typeof film.renditions)[0],
  (typeof film.renditions)[0],
];

/** The film with sound from one second on, to another. */
function withSound(from: number, to: number) {
  const borders = [from, 2, 4, 6, to].filter((second, index, all) => index === 0 || second > all[index - 1]!);
  const track = { ...sound.tracks[0]!, borders: Float64Array.from(borders, (second) => second * 48_000) };
  const part = {
    ...film.parts[0]!,
    cutPoints: Float64Array.from([0, 8], (second) => flicks(second * FLICKS_PER_SECOND)),
  };
  return { ...film, parts: [part], renditions: [first, second, { ...sound, tracks: [track] }] };
}

test('the target duration holds what is listed, also where sound begins late or ends early', () => {
  expect(ladderOf([film]).targetDuration).toBe(3);
  expect(ladderOf([withSound(0, 7)]).targetDuration).toBe(3);
  expect(ladderOf([withSound(0, 6)]).targetDuration).toBe(4);
  expect(ladderOf([withSound(2.5, 8)]).targetDuration).toBe(4);
});

test('what would need a longer target duration does not fit', () => {
  expect(fitToLadder(withSound(0, 6), ladderOf([film]))).toEqual({
    ok: false,
    code: 'TARGET_DURATION',
    reason: naming(3, 2, 'audio', '4.000'),
  });
});

test('what is shorter than players bear between discontinuities does not fit', () => {
  const short = (frames: number) =>
    syntheticAsset({ name: 'short', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [frames], qualities: 2 });
  expect(fitToLadder(short(13), ladderOf([film]))).toMatchObject({ ok: true });
  expect(fitToLadder(short(12), ladderOf([film]))).toEqual({
    ok: false,
    code: 'TOO_SHORT',
    reason: naming('0.480', '0.5'),
  });
});
