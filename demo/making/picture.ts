// SPDX-License-Identifier: Apache-2.0
// A moving picture with sound to encode. Both are functions of the time only.
import type { Canvas } from './canvas.ts';

export type Picture = {
  /** The name of its folder or file. */
  readonly name: string;
  readonly seconds: number;
  /** Shown in the picture. */
  readonly label: string;
  paint(canvas: Canvas, seconds: number): void;
  /** Left and right, −1 to 1. */
  sound(seconds: number): readonly [number, number];
};
