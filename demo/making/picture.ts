// What the maker encodes: a moving picture with sound, each a function of time alone.
import type { Canvas } from './canvas.ts';

export type Picture = {
  /** Names its folder or file. */
  readonly name: string;
  readonly seconds: number;
  /** Burnt in, so that a viewer sees what plays. */
  readonly label: string;
  paint(canvas: Canvas, seconds: number): void;
  /** Left and right, −1 to 1. */
  sound(seconds: number): readonly [number, number];
};
