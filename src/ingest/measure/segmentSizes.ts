// SPDX-License-Identifier: Apache-2.0
import type { SizeListener } from '../source/mediaReader.ts';
import type { NominalTrack } from '../source/presentation.ts';

/** The sizes of segments, in bytes, as far as the reads of one import have revealed them. */
export type SegmentSizes = {
  readonly add: SizeListener;
  /** By segment index. */
  of(track: NominalTrack): ReadonlyMap<number, number>;
};

export function createSegmentSizes(): SegmentSizes {
  const byTrack = new Map<NominalTrack, Map<number, number>>();
  return {
    add(track, index, bytes) {
      const sizes = byTrack.get(track) ?? new Map<number, number>();
      byTrack.set(track, sizes.set(index, bytes));
    },
    of: (track) => byTrack.get(track) ?? new Map(),
  };
}
