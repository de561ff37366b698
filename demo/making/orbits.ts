// SPDX-License-Identifier: Apache-2.0
// Video 2: planets around a sun, seen from a slowly tilting camera.
import { type Canvas, fillDisc, fillGlow, fillGradient, mix, type Rgb, strokeEllipse } from './canvas.ts';
import type { Picture } from './picture.ts';
import { ends, noise, pad, pluck } from './sound.ts';

const seconds = 34;
const planets: readonly {
  readonly orbit: number;
  readonly size: number;
  readonly pace: number;
  readonly colour: Rgb;
}[] = [
  { orbit: 66, size: 7, pace: 1.15, colour: [214, 178, 140] },
  { orbit: 104, size: 11, pace: 0.72, colour: [86, 170, 226] },
  { orbit: 150, size: 9, pace: 0.5, colour: [226, 98, 72] },
  { orbit: 210, size: 21, pace: 0.31, colour: [232, 190, 128] },
  { orbit: 280, size: 15, pace: 0.21, colour: [140, 214, 196] },
];
const centre = { x: 320, y: 178 };

function paintPlanet(canvas: Canvas, planet: (typeof planets)[number], angle: number, tilt: number): void {
  const near = 1 + 0.22 * Math.sin(angle);
  const x = centre.x + planet.orbit * Math.cos(angle);
  const y = centre.y + planet.orbit * tilt * Math.sin(angle);
  const size = planet.size * near;
  fillDisc(canvas, x, y, size, mix(planet.colour, [10, 8, 26], 0.55));
  const [towardsX, towardsY] = [centre.x - x, centre.y - y];
  const distance = Math.hypot(towardsX, towardsY) || 1;
  fillDisc(
    canvas,
    x + (towardsX / distance) * size * 0.25,
    y + (towardsY / distance) * size * 0.25,
    size * 0.74,
    planet.colour,
  );
  if (planet.size > 20) strokeEllipse(canvas, { x, y }, { x: size * 1.7, y: size * 0.5 }, 3, [240, 222, 180], 0.8);
}

function paint(canvas: Canvas, t: number): void {
  fillGradient(canvas, [12, 8, 34], [34, 14, 62]);
  for (let star = 0; star < 130; star += 1) {
    const light = 0.25 + 0.6 * Math.abs(noise(star + 7));
    fillDisc(canvas, (noise(star) + 1) * 320, (noise(star + 500) + 1) * 180, 0.9, [226, 224, 255], light);
  }
  const tilt = 0.42 + 0.2 * Math.sin(t * 0.18);
  for (const { orbit } of planets) {
    strokeEllipse(canvas, centre, { x: orbit, y: orbit * tilt }, 1.2, [150, 130, 220], 0.35);
  }
  const placed = planets.map((planet) => ({ planet, angle: t * planet.pace + planet.orbit }));
  for (const { planet, angle } of placed) if (Math.sin(angle) < 0) paintPlanet(canvas, planet, angle, tilt);
  fillGlow(canvas, centre.x, centre.y, 130, [255, 170, 70], 0.8);
  fillDisc(canvas, centre.x, centre.y, 34 + Math.sin(t * 2), [255, 226, 150]);
  for (const { planet, angle } of placed) if (Math.sin(angle) >= 0) paintPlanet(canvas, planet, angle, tilt);
}

const chords = [
  [-26, -19, -14],
  [-28, -21, -16],
  [-31, -19, -15],
  [-24, -21, -14],
];
const melody = [10, null, 5, 7, null, 2, 0, null, 7, null, 5, null, -2, 0, 2, null];

function sound(t: number): readonly [number, number] {
  const music = 0.38 * pad(chords, 4.25, t);
  const gain = ends(t, seconds);
  return [gain * (music + 0.3 * pluck(melody, 0.53125, t)), gain * (music + 0.3 * pluck(melody, 0.53125, t - 0.18))];
}

export const orbits: Picture = { name: 'orbits', seconds, label: 'Orbits', paint, sound };
