// SPDX-License-Identifier: Apache-2.0
// Letters as strokes of one thickness: lines and arcs around their centre. They need no font, on any system and at any size.

/** In units of a tenth of the x-height; y points up, the baseline is 0. Angles are in degrees, counterclockwise from `from` to `to`. */
export type Stroke =
  | { readonly kind: 'line'; readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }
  | {
      readonly kind: 'arc';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly from: number;
      readonly to: number;
    };

/** `left` and `right` are the distances to the neighbouring letters. */
type Letter = {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly strokes: readonly Stroke[];
};

export const ASCENDER = 15;
const [STRAIGHT, ROUND, OPEN] = [2.3, 1.9, 1.3];
const SPACE = 6;

export const line = (x1: number, y1: number, x2: number, y2: number): Stroke => ({ kind: 'line', x1, y1, x2, y2 });
export const arc = (x: number, y: number, radius: number, from: number, to: number): Stroke => ({
  kind: 'arc',
  x,
  y,
  radius,
  from,
  to,
});

const bowl = arc(5, 5, 5, 0, 360);
const stem = line(0, 0, 0, ASCENDER);

const letters: Readonly<Record<string, Letter>> = {
  W: {
    width: 17,
    left: OPEN,
    right: OPEN,
    strokes: [line(0, 14, 4.25, 0), line(4.25, 0, 8.5, 12), line(8.5, 12, 12.75, 0), line(12.75, 0, 17, 14)],
  },
  e: { width: 10, left: ROUND, right: ROUND, strokes: [line(0, 5, 10, 5), arc(5, 5, 5, 0, 312)] },
  "'": { width: 0.6, left: OPEN, right: ROUND, strokes: [line(0.6, ASCENDER, 0, 11.2)] },
  l: { width: 0, left: STRAIGHT, right: STRAIGHT, strokes: [stem] },
  b: { width: 10, left: STRAIGHT, right: ROUND, strokes: [stem, bowl] },
  r: { width: 5.6, left: STRAIGHT, right: OPEN, strokes: [line(0, 0, 0, 10), arc(4.8, 5.2, 4.8, 80, 180)] },
  i: { width: 0, left: STRAIGHT, right: STRAIGHT, strokes: [line(0, 0, 0, 10), line(0, 14.2, 0, 14.4)] },
  g: { width: 10, left: ROUND, right: STRAIGHT, strokes: [bowl, line(10, 10, 10, 0), arc(5, 0, 5, 205, 360)] },
  h: { width: 9, left: STRAIGHT, right: STRAIGHT, strokes: [stem, arc(4.5, 5.5, 4.5, 0, 180), line(9, 5.5, 9, 0)] },
  t: {
    width: 6.6,
    left: OPEN,
    right: OPEN,
    strokes: [line(2.6, 13.6, 2.6, 2.8), arc(5.4, 2.8, 2.8, 180, 290), line(0, 10, 6.4, 10)],
  },
  a: { width: 10, left: ROUND, right: STRAIGHT, strokes: [bowl, line(10, 10, 10, 0)] },
  c: { width: 8.6, left: ROUND, right: OPEN, strokes: [arc(5, 5, 5, 48, 312)] },
  k: { width: 7.4, left: STRAIGHT, right: OPEN, strokes: [stem, line(0, 4, 6.8, 10), line(2.7, 6.4, 7.4, 0)] },
};

export type Drawing = { readonly width: number; readonly strokes: readonly Stroke[] };

export const moved = (stroke: Stroke, dx: number, dy: number): Stroke =>
  stroke.kind === 'line'
    ? line(stroke.x1 + dx, stroke.y1 + dy, stroke.x2 + dx, stroke.y2 + dy)
    : { ...stroke, x: stroke.x + dx, y: stroke.y + dy };

/** One line of text, from x = 0. It may contain the letters above and spaces. */
export function drawText(text: string): Drawing {
  const strokes: Stroke[] = [];
  let x = 0;
  let [width, before] = [0, 0];
  for (const character of text) {
    if (character === ' ') {
      x += SPACE;
      continue;
    }
    const letter = letters[character]!;
    if (strokes.length > 0) x += before + letter.left;
    strokes.push(...letter.strokes.map((stroke) => moved(stroke, x, 0)));
    x += letter.width;
    width = x;
    before = letter.right;
  }
  return { width, strokes };
}
