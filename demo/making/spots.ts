// SPDX-License-Identifier: Apache-2.0
// Four ads: bright and flat, to differ from the videos at a glance.
import {
  type Canvas,
  fillBox,
  fillDisc,
  fillGlow,
  fillGradient,
  type Rgb,
  smooth,
  strokeEllipse,
  strokeLine,
} from './canvas.ts';
import type { Picture } from './picture.ts';
import { ends, pluck } from './sound.ts';

type Tune = { readonly notes: readonly (number | null)[]; readonly length: number };
const play =
  ({ notes, length }: Tune, seconds: number) =>
  (t: number): readonly [number, number] => {
    const gain = 0.75 * ends(t, seconds);
    const bass = notes.map((note, index) => (index % 4 === 0 && note !== null ? note - 24 : null));
    const voice = pluck(notes, length, t);
    return [
      gain * (voice + 0.5 * pluck(bass, length, t)),
      gain * (0.8 * voice + 0.3 * pluck(notes, length, t - 0.11) + 0.5 * pluck(bass, length, t)),
    ];
  };

function paintCoffee(canvas: Canvas, t: number): void {
  fillGradient(canvas, [240, 196, 140], [206, 128, 74]);
  const lift = 30 * (1 - smooth(0, 1.2, t));
  const white: Rgb = [255, 250, 242];
  strokeEllipse(canvas, { x: 412, y: 212 + lift }, { x: 34, y: 32 }, 13, white);
  fillBox(canvas, { left: 230, right: 410, top: 150 + lift, bottom: 232 + lift }, white);
  fillDisc(canvas, 290, 232 + lift, 60, white);
  fillDisc(canvas, 350, 232 + lift, 60, white);
  fillBox(canvas, { left: 290, right: 350, top: 232 + lift, bottom: 292 + lift }, white);
  fillBox(canvas, { left: 238, right: 402, top: 150 + lift, bottom: 164 + lift }, [92, 54, 34]);
  fillBox(canvas, { left: 200, right: 440, top: 296, bottom: 306 }, [122, 72, 44]);
  for (let wisp = 0; wisp < 14; wisp += 1) {
    const age = (t * 0.35 + wisp / 14) % 1;
    const x = 270 + (wisp % 3) * 50 + 14 * Math.sin(age * 7 + wisp);
    fillGlow(canvas, x, 146 + lift - age * 105, 14 + age * 22, [255, 255, 255], 0.55 * (1 - age));
  }
}

function paintWheel(canvas: Canvas, x: number, y: number, angle: number): void {
  const dark: Rgb = [34, 40, 60];
  strokeEllipse(canvas, { x, y }, { x: 62, y: 62 }, 7, dark);
  for (let spoke = 0; spoke < 4; spoke += 1) {
    const a = angle + (spoke * Math.PI) / 4;
    const [dx, dy] = [58 * Math.cos(a), 58 * Math.sin(a)];
    strokeLine(canvas, [x - dx, y - dy], [x + dx, y + dy], 1.6, dark);
  }
}

function paintBicycle(canvas: Canvas, t: number): void {
  fillGradient(canvas, [255, 222, 72], [255, 196, 40]);
  for (let mark = -1; mark < 6; mark += 1) {
    const left = mark * 130 + 130 - ((t * 150) % 130);
    fillBox(canvas, { left, right: left + 70, top: 300, bottom: 307 }, [255, 250, 226]);
  }
  const bob = 2 * Math.sin(t * 5);
  const [rear, front, y] = [235, 410, 232 + bob];
  paintWheel(canvas, rear, y, t * 2.4);
  paintWheel(canvas, front, y, t * 2.4);
  const red: Rgb = [214, 44, 60];
  const [crank, seat, head] = [
    [306, y],
    [282, y - 82],
    [384, y - 88],
  ] as const;
  strokeLine(canvas, [rear, y], crank, 8, red);
  strokeLine(canvas, [rear, y], [286, y - 68], 8, red);
  strokeLine(canvas, crank, seat, 8, red);
  strokeLine(canvas, [287, y - 64], [388, y - 68], 8, red);
  strokeLine(canvas, crank, [388, y - 68], 8, red);
  strokeLine(canvas, [front, y], head, 8, red);
  strokeLine(canvas, [262, y - 86], [304, y - 86], 10, [34, 40, 60]);
  strokeLine(canvas, head, [410, y - 104], 7, [34, 40, 60]);
  const pedal = t * 2.4;
  strokeLine(canvas, crank, [306 + 26 * Math.cos(pedal), y + 26 * Math.sin(pedal)], 6, [34, 40, 60]);
}

function paintIsland(canvas: Canvas, t: number): void {
  fillGradient(canvas, [40, 196, 200], [150, 236, 214]);
  for (let ray = 0; ray < 12; ray += 1) {
    const a = (ray / 12) * 2 * Math.PI + t * 0.35;
    const [dx, dy] = [Math.cos(a), Math.sin(a)];
    strokeLine(canvas, [320 + dx * 92, 186 + dy * 92], [320 + dx * 330, 186 + dy * 330], 16, [255, 236, 150]);
  }
  fillDisc(canvas, 320, 186, 78 + 2 * Math.sin(t * 3), [255, 200, 60]);
  for (let wave = 0; wave < 5; wave += 1) {
    fillDisc(
      canvas,
      70 + wave * 130 + 12 * Math.sin(t * 1.3 + wave),
      372 + 5 * Math.sin(t * 1.7 + wave * 2),
      92,
      [14, 110, 168],
    );
  }
}

function paintLamp(canvas: Canvas, t: number): void {
  fillGradient(canvas, [36, 26, 58], [70, 34, 84]);
  const swing = 0.5 * Math.sin(t * 1.5);
  const length = 160;
  const [x, y] = [320 + length * Math.sin(swing), length * Math.cos(swing)];
  fillGlow(canvas, x + 60 * Math.sin(swing), y + 70, 200, [255, 176, 220], 0.75);
  strokeLine(canvas, [320, 0], [x, y], 4, [230, 214, 236]);
  fillDisc(canvas, x, y + 24, 44, [246, 92, 150]);
  fillDisc(canvas, x + 10 * Math.sin(swing), y + 58, 18, [255, 246, 224]);
}

const spot = (
  picture: Pick<Picture, 'name' | 'seconds' | 'label' | 'paint'>,
  notes: Tune['notes'],
  length: number,
): Picture => ({ ...picture, sound: play({ notes, length }, picture.seconds) });

export const spots: readonly Picture[] = [
  spot(
    { name: 'coffee', seconds: 10, label: 'COFFEE', paint: paintCoffee },
    [3, 7, 10, 15, 12, 10, 7, null, 5, 8, 12, 17, 15, 12, 8, null],
    0.25,
  ),
  spot(
    { name: 'bicycles', seconds: 15, label: 'BICYCLES', paint: paintBicycle },
    [0, 4, 7, 4, 9, 7, 4, 0, 5, 9, 12, 9, 7, 11, 14, 11],
    0.1875,
  ),
  spot(
    { name: 'islands', seconds: 10, label: 'ISLANDS', paint: paintIsland },
    [10, null, 7, 10, 14, null, 12, 10, 9, null, 5, 9, 12, null, 10, 9],
    0.2083,
  ),
  spot(
    { name: 'lamps', seconds: 15, label: 'LAMPS', paint: paintLamp },
    [-2, 2, 5, 9, 10, 9, 5, 2, -4, 0, 3, 7, 8, 7, 3, 0],
    0.3125,
  ),
];
