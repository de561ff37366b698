// SPDX-License-Identifier: Apache-2.0
// The picture of the built-in slate: "We'll be right back" below a clock, on a dark blue gradient with a soft light. It is drawn
// here, because fonts and ffmpeg's text filter are not available everywhere (docs/decisions/009-creative-queue.md).
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { numberAt } from '../../../time/row.ts';

// Letters as strokes of one thickness: lines and arcs around their centre. They need no font, on any system and at any size.

/**
 * In units of a tenth of the x-height; y points up, the baseline is 0. Angles are in degrees, counterclockwise from `from` to
 * `to`.
 */
type Line = { readonly kind: 'line' } & Readonly<Record<'x1' | 'y1' | 'x2' | 'y2', number>>;
type Arc = { readonly kind: 'arc' } & Readonly<Record<'x' | 'y' | 'radius' | 'from' | 'to', number>>;
type Stroke = Line | Arc;

const ASCENDER = 15;
const [STRAIGHT, ROUND, OPEN] = [2.3, 1.9, 1.3];
const SPACE = 6;

const line = (x1: number, y1: number, x2: number, y2: number): Line => ({ kind: 'line', x1, y1, x2, y2 });

function arc(x: number, y: number, radius: number, from: number, to: number): Arc {
  return { kind: 'arc', x, y, radius, from, to };
}

const bowl = arc(5, 5, 5, 0, 360);
const stem = line(0, 0, 0, ASCENDER);

/** `left` and `right` are the distances to the neighbouring letters. */
const letter = (width: number, left: number, right: number, ...strokes: Stroke[]) => ({ width, left, right, strokes });

const letters: Readonly<Record<string, ReturnType<typeof letter>>> = {
  W: letter(
    17,
    OPEN,
    OPEN,
    line(0, 14, 4.25, 0),
    line(4.25, 0, 8.5, 12),
    line(8.5, 12, 12.75, 0),
    line(12.75, 0, 17, 14),
  ),
  e: letter(10, ROUND, ROUND, line(0, 5, 10, 5), arc(5, 5, 5, 0, 312)),
  "'": letter(0.6, OPEN, ROUND, line(0.6, ASCENDER, 0, 11.2)),
  l: letter(0, STRAIGHT, STRAIGHT, stem),
  b: letter(10, STRAIGHT, ROUND, stem, bowl),
  r: letter(5.6, STRAIGHT, OPEN, line(0, 0, 0, 10), arc(4.8, 5.2, 4.8, 80, 180)),
  i: letter(0, STRAIGHT, STRAIGHT, line(0, 0, 0, 10), line(0, 14.2, 0, 14.4)),
  g: letter(10, ROUND, STRAIGHT, bowl, line(10, 10, 10, 0), arc(5, 0, 5, 205, 360)),
  h: letter(9, STRAIGHT, STRAIGHT, stem, arc(4.5, 5.5, 4.5, 0, 180), line(9, 5.5, 9, 0)),
  t: letter(6.6, OPEN, OPEN, line(2.6, 13.6, 2.6, 2.8), arc(5.4, 2.8, 2.8, 180, 290), line(0, 10, 6.4, 10)),
  a: letter(10, ROUND, STRAIGHT, bowl, line(10, 10, 10, 0)),
  c: letter(8.6, ROUND, OPEN, arc(5, 5, 5, 48, 312)),
  k: letter(7.4, STRAIGHT, OPEN, stem, line(0, 4, 6.8, 10), line(2.7, 6.4, 7.4, 0)),
};

type Drawing = { readonly width: number; readonly strokes: readonly Stroke[] };

const moved = (stroke: Stroke, dx: number, dy: number): Stroke =>
  stroke.kind === 'line'
    ? line(stroke.x1 + dx, stroke.y1 + dy, stroke.x2 + dx, stroke.y2 + dy)
    : { ...stroke, x: stroke.x + dx, y: stroke.y + dy };

/** One line of text, from x = 0. It may contain the letters above and spaces. */
function drawText(text: string): Drawing {
  const strokes: Stroke[] = [];
  let x = 0;
  let [width, before] = [0, 0];
  for (const character of text) {
    const letter = letters[character];
    if (letter === undefined) {
      x += SPACE;
      continue;
    }
    if (strokes.length > 0) x += before + letter.left;
    strokes.push(...letter.strokes.map((stroke) => moved(stroke, x, 0)));
    x += letter.width;
    width = x;
    before = letter.right;
  }
  return { width, strokes };
}

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
        const [ink, grain] = [numberAt(coverage, y * width + x) / 255, grainAt(x, y)];
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

// Draws a stroke with round ends into a mask. Edges are smooth: a pixel that an edge crosses is covered in part.

type Mask = { readonly width: number; readonly height: number; readonly coverage: Uint8Array };

/** Pixels that are drawn without yielding to other tasks. This process may serve viewers, too. */
const MASK_PIXELS_PER_TURN = 2 ** 13;

const DEGREE = Math.PI / 180;

function distanceToLine(x: number, y: number, { x1, y1, x2, y2 }: Line): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

function distanceToArc(x: number, y: number, { x: cx, y: cy, radius, from, to }: Arc) {
  const angle = Math.atan2(y - cy, x - cx) / DEGREE;
  const after = (((angle - from) % 360) + 360) % 360;
  if (after <= to - from) return Math.abs(Math.hypot(x - cx, y - cy) - radius);
  const toEnd = (end: number) =>
    Math.hypot(x - cx - radius * Math.cos(end * DEGREE), y - cy - radius * Math.sin(end * DEGREE));
  return Math.min(toEnd(from), toEnd(to));
}

/** The corners of a rectangle that contains the stroke's centre line. */
function boundsOf(stroke: Stroke): readonly [left: number, bottom: number, right: number, top: number] {
  if (stroke.kind === 'line') {
    const { x1, y1, x2, y2 } = stroke;
    return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  }
  const { x, y, radius } = stroke;
  return [x - radius, y - radius, x + radius, y + radius];
}

/**
 * @param scale pixels per unit of the stroke
 * @param left the pixel at x = 0
 * @param base the row of pixels at y = 0; rows are counted from the top
 * @param thickness of the stroke, in its units
 */
async function drawStroke(
  { width, height, coverage }: Mask,
  stroke: Stroke,
  { scale, left, base, thickness }: { scale: number; left: number; base: number; thickness: number },
): Promise<void> {
  const half = (thickness * scale) / 2;
  const [x1, y1, x2, y2] = boundsOf(stroke);
  const lastRow = Math.min(height - 1, Math.ceil(base - y1 * scale + half));
  const firstColumn = Math.max(0, Math.floor(left + x1 * scale - half));
  const lastColumn = Math.min(width - 1, Math.ceil(left + x2 * scale + half));
  let drawn = 0;
  for (let row = Math.max(0, Math.floor(base - y2 * scale - half)); row <= lastRow; row += 1) {
    const y = (base - row - 0.5) / scale;
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const x = (column + 0.5 - left) / scale;
      const distance = scale * (stroke.kind === 'line' ? distanceToLine(x, y, stroke) : distanceToArc(x, y, stroke));
      const covered = Math.round(255 * Math.min(1, Math.max(0, half + 0.5 - distance)));
      const at = row * width + column;
      if (covered > numberAt(coverage, at)) coverage[at] = covered;
    }
    drawn += lastColumn - firstColumn + 1;
    if (drawn < MASK_PIXELS_PER_TURN) continue;
    drawn = 0;
    await yieldToEventLoop();
  }
}
