// SPDX-License-Identifier: Apache-2.0
// A picture of RGB bytes, and functions that paint anti-aliased shapes on it.

export type Rgb = readonly [number, number, number];
export type Canvas = { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray };

export const createCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  pixels: new Uint8ClampedArray(width * height * 3),
});

export const mix = (a: Rgb, b: Rgb, k: number): Rgb => [
  a[0] + (b[0] - a[0]) * k,
  a[1] + (b[1] - a[1]) * k,
  a[2] + (b[2] - a[2]) * k,
];
const clamp = (value: number): number => Math.max(0, Math.min(1, value));
export const smooth = (from: number, to: number, value: number): number => {
  const k = clamp((value - from) / (to - from));
  return k * k * (3 - 2 * k);
};

function blend(canvas: Canvas, x: number, y: number, colour: Rgb, alpha: number): void {
  if (alpha <= 0) return;
  const at = (y * canvas.width + x) * 3;
  const { pixels } = canvas;
  for (let i = 0; i < 3; i += 1) pixels[at + i] = pixels[at + i]! + (colour[i]! - pixels[at + i]!) * alpha;
}

type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Paints every pixel of a box with the coverage that `alphaAt` returns for its centre. */
function paint(canvas: Canvas, box: Box, colour: Rgb, alphaAt: (x: number, y: number) => number): void {
  const right = Math.min(canvas.width - 1, Math.ceil(box.right));
  const bottom = Math.min(canvas.height - 1, Math.ceil(box.bottom));
  for (let y = Math.max(0, Math.floor(box.top)); y <= bottom; y += 1) {
    for (let x = Math.max(0, Math.floor(box.left)); x <= right; x += 1) blend(canvas, x, y, colour, alphaAt(x, y));
  }
}
const around = (x: number, y: number, rx: number, ry = rx): Box => ({
  left: x - rx - 1,
  right: x + rx + 1,
  top: y - ry - 1,
  bottom: y + ry + 1,
});

/** Fills the whole canvas from top to bottom. */
export function fillGradient(canvas: Canvas, top: Rgb, bottom: Rgb): void {
  for (let y = 0; y < canvas.height; y += 1) {
    const colour = mix(top, bottom, y / (canvas.height - 1));
    for (let x = 0; x < canvas.width; x += 1) blend(canvas, x, y, colour, 1);
  }
}

export function fillDisc(canvas: Canvas, x: number, y: number, radius: number, colour: Rgb, alpha = 1): void {
  paint(canvas, around(x, y, radius), colour, (px, py) => alpha * clamp(radius - Math.hypot(px - x, py - y) + 0.5));
}

/** A disc that fades from the centre outwards. */
export function fillGlow(canvas: Canvas, x: number, y: number, radius: number, colour: Rgb, alpha: number): void {
  paint(canvas, around(x, y, radius), colour, (px, py) => {
    const k = clamp(1 - Math.hypot(px - x, py - y) / radius);
    return alpha * k * k;
  });
}

/** The outline of an ellipse. */
export function strokeEllipse(
  canvas: Canvas,
  centre: { readonly x: number; readonly y: number },
  radii: { readonly x: number; readonly y: number },
  thickness: number,
  colour: Rgb,
  alpha = 1,
): void {
  const scale = Math.min(radii.x, radii.y);
  paint(canvas, around(centre.x, centre.y, radii.x + thickness, radii.y + thickness), colour, (px, py) => {
    const dx = (px - centre.x) / radii.x;
    const dy = (py - centre.y) / radii.y;
    const distance = Math.abs(Math.hypot(dx, dy) - 1) * Math.max(scale, Math.hypot(dx * radii.x, dy * radii.y) * 0.9);
    return alpha * clamp(thickness / 2 - distance + 0.5);
  });
}

/** Everything below a curve. */
export function fillBelow(canvas: Canvas, heightAt: (x: number) => number, colour: Rgb): void {
  for (let x = 0; x < canvas.width; x += 1) {
    const edge = heightAt(x);
    for (let y = Math.max(0, Math.floor(edge)); y < canvas.height; y += 1) {
      blend(canvas, x, y, colour, clamp(y - edge + 1));
    }
  }
}

export function fillBox(canvas: Canvas, box: Box, colour: Rgb): void {
  const cover = (low: number, high: number, at: number): number => clamp(Math.min(at + 1, high) - Math.max(at, low));
  paint(canvas, box, colour, (x, y) => cover(box.left, box.right, x) * cover(box.top, box.bottom, y));
}

type Point = readonly [number, number];

/** A line with round ends. */
export function strokeLine(canvas: Canvas, [x0, y0]: Point, [x1, y1]: Point, thickness: number, colour: Rgb): void {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const length = dx * dx + dy * dy || 1;
  const reach = thickness / 2 + 1;
  const box = {
    left: Math.min(x0, x1) - reach,
    right: Math.max(x0, x1) + reach,
    top: Math.min(y0, y1) - reach,
    bottom: Math.max(y0, y1) + reach,
  };
  paint(canvas, box, colour, (x, y) => {
    const k = clamp(((x - x0) * dx + (y - y0) * dy) / length);
    return clamp(thickness / 2 - Math.hypot(x - x0 - k * dx, y - y0 - k * dy) + 0.5);
  });
}
