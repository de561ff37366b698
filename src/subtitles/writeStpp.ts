// SPDX-License-Identifier: Apache-2.0
// Writes empty TTML documents in fragmented MP4 (ISO/IEC 14496-30 §5, IMSC 1.1 text profile), for ads and slate on channels
// whose subtitles are TTML.
import { writeBox } from '../mp4/boxes.ts';
import { writeFragment } from '../mp4/writeFragment.ts';
import { writeTextInit } from '../mp4/writeTextInit.ts';

const encoder = new TextEncoder();

const NAMESPACE = 'http://www.w3.org/ns/ttml';
const EMPTY = encoder.encode(
  `<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="${NAMESPACE}" xmlns:ttp="${NAMESPACE}#parameter" ` +
    `ttp:profile="${NAMESPACE}/profile/imsc1/text" xml:lang=""><body/></tt>\n`,
);

/** The initialization section. The sample entry has a namespace and no schema and no pictures (ISO/IEC 14496-12 §12.6.3.2). */
export const writeStppInit = (timescale: number): Uint8Array => {
  const strings = encoder.encode(`${NAMESPACE}\0\0\0`);
  return writeTextInit(timescale, writeBox('stpp', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 1]), strings), 'subt');
};

/** One empty document from `from` to `to`, in ticks. */
export const writeStppSegment = (sequence: number, from: number, to: number): Uint8Array => {
  const duration = to - from;
  const sizes = [EMPTY.length];
  return writeFragment(sequence, [
    { trackId: 1, decodeTime: from, sampleDuration: duration, kind: 'audio', sizes, data: EMPTY },
  ]);
};
