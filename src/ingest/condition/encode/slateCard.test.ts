// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { drawSlateCard } from './slateCard.ts';

/** Brighter than the gradient and its light. */
const INK = 200;

/** The picture's text and clock: their bounds relative to the size of the picture, and their share of its pixels. */
async function drawnInk(width: number, height: number) {
  const parts: Uint8Array[] = [];
  await drawSlateCard(width, height, async (pixels) => void parts.push(pixels));
  const pixels = Buffer.concat(parts);
  expect(pixels).toHaveLength(3 * width * height);
  const inked: (readonly [x: number, y: number])[] = [];
  for (let at = 0; at < width * height; at += 1)
    if (pixels[3 * at]! > INK) inked.push([(at % width) / width, Math.floor(at / width) / height]);
  const [columns, rows] = [inked.map(([x]) => x), inked.map(([, y]) => y)];
  const range = (values: number[]) => ({
    least: values.reduce((a, b) => Math.min(a, b), 1),
    most: values.reduce((a, b) => Math.max(a, b), 0),
  });
  return { columns: range(columns), rows: range(rows), share: inked.length / (width * height) };
}

describe('the picture of the built-in slate', () => {
  const sizes = ['426×240', '320×240', '240×426', '480×480', '1280×720', '1024×429', '1080×1920'];
  it.each(sizes)('has its text in the middle of %s pixels, inside of the title-safe area', async (size) => {
    const [width, height] = size.split('×').map(Number) as [number, number];
    const { columns, rows, share } = await drawnInk(width, height);
    expect(columns.least).toBeGreaterThan(0.1);
    expect(columns.most).toBeLessThan(0.9);
    expect(Math.abs(columns.least + columns.most - 1)).toBeLessThan(0.02);
    expect(rows.least).toBeGreaterThan(0.2);
    expect(rows.most).toBeLessThan(0.8);
    expect(share).toBeGreaterThan(0.01);
  });

  it('is the same in every run', async () => {
    const draw = async () => {
      const parts: Uint8Array[] = [];
      await drawSlateCard(64, 36, async (pixels) => void parts.push(pixels));
      return Buffer.concat(parts);
    };
    expect(await draw()).toEqual(await draw());
  });
});
