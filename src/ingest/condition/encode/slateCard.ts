// SPDX-License-Identifier: Apache-2.0
// The picture of the built-in slate: "We'll be right back" below a clock, on a dark blue gradient with a soft light. It is drawn
// here, because fonts and ffmpeg's text filter are not available everywhere (docs/decisions/009-creative-queue.md).
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ASCENDER, arc, drawText, line, moved, type Stroke } from './cardLetters.ts';
import { drawStroke, type Mask } from './drawStroke.ts';

/** The size of the letters, relative to the size of the picture. */
const [WIDEST, HIGHEST] = [0.68, 0.42];
/** A narrower picture has its text in two lines. */
const NARROW = 1.2;
const [CLOCK_RADIUS, GAP, LINE_HEIGHT, THICKNESS] = [10, 12, 26, 2.1];
const INK = [236, 241, 250] as const;
/** Pixels that are coloured without yielding to other tasks. */
const PIXELS_PER_TURN = 2 ** 15;

const clock: readonly Stroke[] = [
  arc(0, 0, CLOCK_RADIUS, 0, 360),
  line(0, 0, 0, 0.62 * CLOCK_RADIUS),
  line(0, 0, 0.45 * CLOCK_RADIUS, 0),
];

/** The strokes around x = 0, from the baseline of the last line up to `height`. */
function composeCard(isNarrow: boolean): { width: number; height: number; strokes: Stroke[] } {
  const lines = (isNarrow ? ["We'll be", 'right back'] : ["We'll be right back"]).map(drawText);
  const top = (lines.length - 1) * LINE_HEIGHT + ASCENDER;
  const strokes = lines.flatMap((text, index) =>
    text.strokes.map((stroke) => moved(stroke, -text.width / 2, (lines.length - 1 - index) * LINE_HEIGHT)),
  );
  strokes.push(...clock.map((stroke) => moved(stroke, 0, top + GAP + CLOCK_RADIUS)));
  return { width: Math.max(...lines.map((text) => text.width)), height: top + GAP + 2 * CLOCK_RADIUS, strokes };
}

async function drawMask(width: number, height: number): Promise<Mask> {
  const mask = { width, height, coverage: new Uint8Array(width * height) };
  const card = composeCard(width / height < NARROW);
  const scale = Math.min((WIDEST * width) / card.width, (HIGHEST * height) / card.height);
  const base = Math.round((height + card.height * scale) / 2);
  for (const stroke of card.strokes) {
    await drawStroke(mask, stroke, { scale, left: width / 2, base, thickness: THICKNESS });
    await yieldToEventLoop();
  }
  return mask;
}

const bell = (at: number, center: number, spread: number): number => Math.exp(-(((at - center) / spread) ** 2));

/** A grain of one step, which prevents banding in the gradients: the same in every run. */
const grainAt = (x: number, y: number): number =>
  (1.6 * ((Math.imul(Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663), 0x9e3779b1) >>> 16) & 1023)) / 1024;

/** @param write receives the pixels from the top, in bands: three bytes each, red, green and blue */
export async function drawSlateCard(
  width: number,
  height: number,
  write: (pixels: Uint8Array) => Promise<void>,
): Promise<void> {
  const { coverage } = await drawMask(width, height);
  const columns = Array.from({ length: width }, (_, x) => [bell(x / width, 0.7, 0.42), bell(x / width, 0.25, 0.7)]);
  const rowsPerTurn = Math.max(1, Math.floor(PIXELS_PER_TURN / width));
  for (let top = 0; top < height; top += rowsPerTurn) {
    const rows = Math.min(rowsPerTurn, height - top);
    const pixels = new Uint8Array(3 * width * rows);
    for (let y = top; y < top + rows; y += 1) {
      const [glowY, floorY, fall] = [bell(y / height, 0.34, 0.5), bell(y / height, 1.05, 0.28), y / height];
      const ground = [9 + 8 * fall, 13 + 12 * fall, 26 + 24 * fall] as const;
      for (let x = 0; x < width; x += 1) {
        const [glowX, floorX] = columns[x] as [number, number];
        const light = glowX * glowY + (floorX * floorY) / 3;
        const [ink, grain] = [coverage[y * width + x]! / 255, grainAt(x, y)];
        const at = 3 * ((y - top) * width + x);
        pixels[at] = (ground[0] + 34 * light + grain) * (1 - ink) + INK[0] * ink;
        pixels[at + 1] = (ground[1] + 52 * light + grain) * (1 - ink) + INK[1] * ink;
        pixels[at + 2] = (ground[2] + 96 * light + grain) * (1 - ink) + INK[2] * ink;
      }
    }
    await write(pixels);
    await yieldToEventLoop();
  }
}
