// SPDX-License-Identifier: Apache-2.0
// Reads the segment index of an on-demand resource (ISO/IEC 14496-12 §8.16.3) in a few small byte ranges: at the position in
// the MPD or at the beginning of the file, with the indexes that it refers to.
import { type Box, readBoxes } from '../../mp4/boxes.ts';
import { readSidx, type Sidx } from '../../mp4/segmentBoxes.ts';
import { numberAt } from '../../time/row.ts';
import type { ByteRange, MediaRef } from '../../timeline/asset/asset.ts';
import type { Origin } from '../ports.ts';
import { notFetched, type Refusal } from '../source/presentation.ts';

const HEAD = 64 * 1024;
const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_READS = 64;
const MAX_REFERENCES = 250_000;

export type SegmentIndex = {
  readonly init: MediaRef;
  readonly timescale: number;
  /** One more than there are segments, as media times. */
  readonly borders: Float64Array;
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
};

type Reading = { readonly url: string; readonly origin: Origin; reads: number };

async function readRange(reading: Reading, range: ByteRange): Promise<Uint8Array | Refusal> {
  reading.reads += 1;
  if (reading.reads > MAX_READS)
    return { refused: `the segment index of ${reading.url} needs over ${MAX_READS} reads` };
  const result = await reading.origin.read(reading.url, { range, maxBytes: range.length });
  if (result.ok) return result.bytes;
  const bytes = `bytes ${range.start} to ${range.start + range.length - 1}`;
  return { ...notFetched(result), refused: `${bytes} of ${reading.url}: ${result.reason}` };
}

type FoundSidx = { readonly sidx: Sidx; readonly start: number; readonly initEnd: number };

/** Finds the first complete `sidx` at or after an offset. Skips other boxes before it, but no media. */
async function findSidx(reading: Reading, from: number, span = HEAD): Promise<FoundSidx | Refusal> {
  let at = from;
  let initEnd = from;
  let length = span;
  for (;;) {
    const bytes = await readRange(reading, { start: at, length });
    if ('refused' in bytes) return bytes;
    const boxes = readBoxes(bytes);
    const found = boxes.find(({ type }) => type === 'sidx');
    const media = boxes.find(({ type }) => type === 'moof' || type === 'mdat');
    const before = found ?? media;
    const moov = boxes.findLast(({ type, start }) => type === 'moov' && (!before || start < before.start));
    if (moov) initEnd = at + moov.end;
    if (found && (!media || found.start < media.start)) {
      const sidx = readSidx(bytes, at);
      if (sidx) return { sidx, start: at + found.start, initEnd };
      const isWhole = found.end <= bytes.length;
      const atEnd = bytes.length < length;
      if (isWhole || atEnd || found.end - found.start > MAX_INDEX_BYTES) return noIndex(reading);
      at += found.start;
      length = found.end - found.start;
      continue;
    }
    const last: Box | undefined = boxes.at(-1);
    // A box header of up to 16 bytes may be cut off at the end of the range.
    const isBroken = !last || last.end + 16 <= bytes.length;
    if (media || isBroken || bytes.length < length) return noIndex(reading);
    at += last.end;
    length = HEAD;
  }
}

const noIndex = ({ url }: Reading): Refusal => ({
  code: 'NO_INDEX',
  refused: `${url} must have a segment index (sidx) before its media; none was found`,
});

type IndexedSegment = { readonly start: number; readonly length: number; readonly duration: number };

/** Appends the segments that an index and its inner indexes refer to. */
async function appendSegments(
  reading: Reading,
  sidx: Sidx,
  timescale: number,
  segments: IndexedSegment[],
): Promise<Refusal | undefined> {
  let offset = sidx.firstOffset;
  for (const { size, duration, isIndex } of sidx.references) {
    if (segments.length >= MAX_REFERENCES)
      return { refused: `the segment index of ${reading.url} must list at most ${MAX_REFERENCES} segments` };
    if (isIndex) {
      const inner = await findSidx(reading, offset);
      if ('refused' in inner) return inner;
      const failed = await appendSegments(reading, inner.sidx, timescale, segments);
      if (failed) return failed;
    } else if (size > 0 && duration > 0) {
      segments.push({ start: offset, length: size, duration: (duration * timescale) / sidx.timescale });
    }
    offset += size;
  }
  return undefined;
}

/**
 * @param indexRange of the index; if undefined, it is searched for from the first byte on
 * @param init the initialization section that the MPD names; if undefined, it is everything before the index
 */
export async function readDashIndex(
  origin: Origin,
  url: string,
  indexRange?: ByteRange,
  init?: MediaRef,
): Promise<SegmentIndex | Refusal> {
  const reading: Reading = { url, origin, reads: 0 };
  const found = await findSidx(reading, indexRange?.start ?? 0, indexRange?.length);
  if ('refused' in found) return found;
  const segments: IndexedSegment[] = [];
  const failed = await appendSegments(reading, found.sidx, found.sidx.timescale, segments);
  if (failed) return failed;
  if (segments.length === 0) return { refused: `the segment index of ${url} must list at least one segment` };
  const borders = new Float64Array(segments.length + 1);
  borders[0] = found.sidx.earliest;
  for (const [index, { duration }] of segments.entries()) borders[index + 1] = numberAt(borders, index) + duration;
  const initLength = indexRange?.start || found.initEnd;
  if (!init && initLength === 0)
    return { refused: `${url} must have its moov box before its segment index (sidx), or name an Initialization` };
  return {
    init: init ?? { url, range: { start: 0, length: initLength } },
    timescale: found.sidx.timescale,
    borders,
    starts: Float64Array.from(segments, ({ start }) => start),
    lengths: Float64Array.from(segments, ({ length }) => length),
  };
}
