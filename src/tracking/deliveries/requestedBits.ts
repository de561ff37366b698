// SPDX-License-Identifier: Apache-2.0
// Sets of requested segments, as bits.
import { BITS_PER_NUMBER, type Bits, isRequested, type RequestedSegments } from '../../ads/record/delivery.ts';
import type { Delivery } from './delivery.ts';

type Segments = Pick<Delivery, 'kind' | 'segments'>;

export const noBits: RequestedSegments = { pictures: [], sound: [] };

export const includesAll = (requested: RequestedSegments, { kind, segments }: Segments): boolean =>
  segments.every((index) => isRequested(requested[kind], index));

function combine(one: Bits, other: Bits, how: (a: number, b: number) => number): number[] {
  const combined: number[] = [];
  const length = Math.max(one.length, other.length);
  for (let place = 0; place < length; place += 1) combined.push(how(one[place] ?? 0, other[place] ?? 0));
  return combined;
}

const combineBoth = (one: RequestedSegments, other: RequestedSegments, how: (a: number, b: number) => number) => ({
  pictures: combine(one.pictures, other.pictures, how),
  sound: combine(one.sound, other.sound, how),
});

export const joinBits = (one: RequestedSegments, other: RequestedSegments): RequestedSegments =>
  combineBoth(one, other, (a, b) => a | b);

export const removeBits = (one: RequestedSegments, other: RequestedSegments): RequestedSegments =>
  combineBoth(one, other, (a, b) => a & ~b);

export function bitsOf({ kind, segments }: Segments): RequestedSegments {
  const bits: number[] = [];
  for (const index of segments) {
    const place = Math.floor(index / BITS_PER_NUMBER);
    while (bits.length <= place) bits.push(0);
    bits[place] = (bits[place] ?? 0) | (1 << (index % BITS_PER_NUMBER));
  }
  return { ...noBits, [kind]: bits };
}
