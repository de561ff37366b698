// SPDX-License-Identifier: Apache-2.0
// Video 1: a sea from dusk through night to morning.
import { type Canvas, fillBelow, fillDisc, fillGlow, fillGradient, mix, type Rgb, smooth } from './canvas.ts';
import type { Picture } from './picture.ts';
import { ends, noise, pad } from './sound.ts';

const seconds = 32;
const sky: readonly { readonly at: number; readonly top: Rgb; readonly bottom: Rgb }[] = [
  { at: 0, top: [58, 84, 150], bottom: [255, 170, 96] },
  { at: 10, top: [30, 32, 84], bottom: [214, 92, 86] },
  { at: 17, top: [8, 12, 40], bottom: [34, 44, 92] },
  { at: 25, top: [30, 52, 110], bottom: [240, 150, 140] },
  { at: 32, top: [96, 156, 220], bottom: [255, 224, 170] },
];

function skyAt(t: number): { top: Rgb; bottom: Rgb } {
  const next = Math.max(
    1,
    sky.findIndex((stop) => stop.at >= t),
  );
  const [a, b] = [sky[next - 1]!, sky[next]!];
  const k = smooth(a.at, b.at, t);
  return { top: mix(a.top, b.top, k), bottom: mix(a.bottom, b.bottom, k) };
}

function paintLight(canvas: Canvas, t: number, horizon: number): void {
  const night = smooth(9, 15, t) * (1 - smooth(22, 27, t));
  for (let star = 0; star < 60; star += 1) {
    const twinkle = 0.6 + 0.4 * Math.sin(t * 1.5 + star);
    const x = (noise(star) + 1) * 320;
    fillDisc(canvas, x, (noise(star + 99) + 1) * 95, 1.1, [235, 240, 255], night * twinkle);
  }
  const sunX = t < 17 ? 190 : 450;
  const sunY = t < 17 ? horizon - 90 + t * 11 : horizon + 100 - (t - 19) * 13;
  fillGlow(canvas, sunX, sunY, 190, [255, 214, 150], 0.75 * (1 - night));
  fillDisc(canvas, sunX, sunY, 34, [255, 236, 190]);
  fillDisc(canvas, 500 - t * 6, 60 + (t - 17) ** 2 * 0.5, 18, [240, 242, 250], night);
}

function paint(canvas: Canvas, t: number): void {
  const { top, bottom } = skyAt(t);
  const horizon = 205;
  fillGradient(canvas, top, bottom);
  paintLight(canvas, t, horizon);
  const deep = mix(top, [6, 62, 104], 0.6);
  for (let wave = 0; wave < 6; wave += 1) {
    const depth = wave / 5;
    const rise = 3 + depth * 13;
    const length = 60 + depth * 210;
    const heightAt = (x: number): number =>
      horizon +
      depth ** 1.3 * 128 +
      rise * Math.sin((x / length) * 6.28 + t * (0.5 + depth * 0.5) + wave * 2.1) +
      0.4 * rise * Math.sin((x / length) * 14 - t * (0.8 + depth * 0.3) + wave);
    fillBelow(canvas, heightAt, mix(mix(bottom, deep, 0.62 + depth * 0.3), [2, 16, 34], depth * 0.4));
  }
}

const chords = [
  [-24, -17, -12, -8],
  [-27, -20, -15, -12],
  [-29, -22, -17, -13],
  [-22, -17, -14, -10],
];

function sound(t: number): readonly [number, number] {
  const surf = noise(Math.floor(t * 48_000)) * 0.05 * (0.5 + 0.5 * Math.sin(t * 0.9)) ** 2;
  const music = 0.5 * pad(chords, 4, t);
  return [ends(t, seconds) * (music + surf), ends(t, seconds) * (0.5 * pad(chords, 4, t + 0.006) + surf)];
}

export const tide: Picture = { name: 'tide', seconds, label: 'Tide', paint, sound };
