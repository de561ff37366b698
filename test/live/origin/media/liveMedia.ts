// SPDX-License-Identifier: Apache-2.0
// The segments of one rendition of an endless live stream, made from a loop.
import { joinBytes } from '../../../../src/mp4/boxes.ts';
import type { LoopRendition, LoopSegment, MediaLoop } from './mediaLoop.ts';
import { moveFragment } from './moveFragment.ts';
import { countPackets, moveTransport } from './moveTransport.ts';

export type LiveMedia = {
  /** The segment of the loop that segment `index` of the stream repeats. */
  source(index: number): LoopSegment;
  /**
   * @param mediaMs the media time of the picture's border at which it starts; sound starts within 21 ms of it
   * @param events `emsg` boxes that precede it
   */
  segment(index: number, mediaMs: number, sequence: number, events?: readonly Uint8Array[]): Uint8Array;
};

export function liveMedia({ packaging, count, segmentMs }: MediaLoop, rendition: LoopRendition): LiveMedia {
  const { segments, timescale, zero } = rendition;
  const packets = packaging === 'cmaf' ? undefined : countPackets(segments.map(({ bytes }) => bytes));
  const source = (index: number): LoopSegment => segments[index % count]!;
  return {
    source,
    segment(index, mediaMs, sequence, events = []) {
      const { bytes } = source(index);
      const delta = ((mediaMs - (index % count) * segmentMs) * timescale) / 1000 - zero;
      if (packets === undefined) return joinBytes([...events, moveFragment(bytes, delta, sequence)]);
      const pass = Math.floor(index / count);
      return moveTransport(bytes, delta, (pid) => pass * (packets.get(pid) ?? 0));
    },
  };
}
