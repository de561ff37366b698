// SPDX-License-Identifier: Apache-2.0
// Video 3: a small train through paper hills on a bright day.
import { type Canvas, fillBelow, fillBox, fillDisc, fillGlow, fillGradient, mix, type Rgb } from './canvas.ts';
import type { Picture } from './picture.ts';
import { ends, pad, pluck } from './sound.ts';

const seconds = 36;
const near: Rgb = [24, 92, 74];
const far: Rgb = [176, 222, 200];

const ridge = (x: number, seed: number): number =>
  Math.sin(x / 97 + seed) + 0.55 * Math.sin(x / 41 + seed * 2.3) + 0.3 * Math.sin(x / 173 + seed * 0.7);

function paintCloud(canvas: Canvas, x: number, y: number, size: number): void {
  for (const [dx, dy, radius] of [
    [-1.1, 0.2, 0.6],
    [-0.4, -0.2, 0.85],
    [0.4, -0.05, 0.75],
    [1.1, 0.25, 0.5],
  ] as const) {
    fillDisc(canvas, x + dx * size, y + dy * size, radius * size, [255, 255, 255], 0.9);
  }
}

function paintTrain(canvas: Canvas, t: number): void {
  const rail = 262;
  fillBox(canvas, { left: 0, right: canvas.width, top: rail + 9, bottom: rail + 12 }, [92, 70, 62]);
  const head = -40 + t * 28;
  const colours: readonly Rgb[] = [
    [206, 52, 56],
    [244, 180, 60],
    [58, 110, 190],
    [206, 52, 56],
  ];
  colours.forEach((colour, index) => {
    const right = head - index * 52;
    fillBox(canvas, { left: right - 46, right, top: rail - 17, bottom: rail + 4 }, colour);
    for (let window = 0; window < 3; window += 1) {
      const left = right - 40 + window * 14;
      fillBox(canvas, { left, right: left + 8, top: rail - 12, bottom: rail - 5 }, [232, 244, 250]);
    }
    for (const wheel of [36, 10]) fillDisc(canvas, right - wheel, rail + 5, 5, [46, 40, 48]);
  });
  for (let puff = 0; puff < 6; puff += 1) {
    const age = (t * 1.6 + puff / 6) % 1;
    fillDisc(canvas, head - 8 - age * 60, rail - 24 - age * 34, 4 + age * 11, [255, 255, 255], 0.7 * (1 - age));
  }
}

function paint(canvas: Canvas, t: number): void {
  fillGradient(canvas, [98, 190, 236], [244, 244, 214]);
  fillGlow(canvas, 520, 70, 120, [255, 246, 190], 0.9);
  fillDisc(canvas, 520, 70, 30, [255, 222, 96]);
  for (let cloud = 0; cloud < 4; cloud += 1) {
    paintCloud(canvas, ((cloud * 213 + t * (7 + cloud * 2) + 60) % 780) - 70, 46 + ((cloud * 37) % 70), 20 + cloud * 4);
  }
  for (let layer = 0; layer < 5; layer += 1) {
    const depth = layer / 4;
    if (layer === 4) paintTrain(canvas, t);
    const shift = t * (4 + depth * 34);
    const heightAt = (x: number): number => 158 + depth * 146 + (22 - depth * 10) * ridge(x + shift, layer * 5 + 1);
    fillBelow(canvas, heightAt, mix(far, near, depth));
  }
}

const chords = [
  [-21, -17, -14],
  [-24, -17, -12],
  [-28, -16, -12],
  [-26, -19, -14],
];
const tune = [3, 7, 10, 7, 12, 10, 7, 5, 3, 5, 7, 10, 8, 7, 5, null];

function sound(t: number): readonly [number, number] {
  const gain = ends(t, seconds);
  const wheels = 0.12 * pluck([-29, null, -29, -31, null, null], 0.125, t);
  const music = 0.3 * pad(chords, 3, t) + wheels;
  return [gain * (music + 0.34 * pluck(tune, 0.375, t)), gain * (music + 0.3 * pluck(tune, 0.375, t - 0.02))];
}

export const hills: Picture = { name: 'hills', seconds, label: 'Paper hills', paint, sound };
