// SPDX-License-Identifier: Apache-2.0
// Draws a stroke with round ends into a mask. Edges are smooth: a pixel that an edge crosses is covered in part.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Stroke } from './cardLetters.ts';

export type Mask = { readonly width: number; readonly height: number; readonly coverage: Uint8Array };

/** Pixels that are drawn without yielding to other tasks. This process may serve viewers, too. */
const PIXELS_PER_TURN = 2 ** 13;

const DEGREE = Math.PI / 180;

function distanceToLine(x: number, y: number, { x1, y1, x2, y2 }: Extract<Stroke, { kind: 'line' }>): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

function distanceToArc(x: number, y: number, { x: cx, y: cy, radius, from, to }: Extract<Stroke, { kind: 'arc' }>) {
  const angle = Math.atan2(y - cy, x - cx) / DEGREE;
  const after = (((angle - from) % 360) + 360) % 360;
  if (after <= to - from) return Math.abs(Math.hypot(x - cx, y - cy) - radius);
  const toEnd = (end: number) =>
    Math.hypot(x - cx - radius * Math.cos(end * DEGREE), y - cy - radius * Math.sin(end * DEGREE));
  return Math.min(toEnd(from), toEnd(to));
}

/** The corners of a rectangle that contains the stroke's centre line. */
const boundsOf = (stroke: Stroke): readonly [left: number, bottom: number, right: number, top: number] =>
  stroke.kind === 'line'
    ? [
        Math.min(stroke.x1, stroke.x2),
        Math.min(stroke.y1, stroke.y2),
        Math.max(stroke.x1, stroke.x2),
        Math.max(stroke.y1, stroke.y2),
      ]
    : [stroke.x - stroke.radius, stroke.y - stroke.radius, stroke.x + stroke.radius, stroke.y + stroke.radius];

/**
 * @param scale pixels per unit of the stroke
 * @param left the pixel at x = 0
 * @param base the row of pixels at y = 0; rows are counted from the top
 * @param thickness of the stroke, in its units
 */
export async function drawStroke(
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
      if (covered > coverage[at]!) coverage[at] = covered;
    }
    drawn += lastColumn - firstColumn + 1;
    if (drawn < PIXELS_PER_TURN) continue;
    drawn = 0;
    await yieldToEventLoop();
  }
}
