// The segment index of an on-demand resource (ISO/IEC 14496-12 §8.16.3), read in a few small ranges: where the MPD says
// it is, or at the head of the file; and the indexes that an index refers to.
import { type Box, readBoxes } from '../../mp4/boxes.ts';
import { readSidx, type Sidx } from '../../mp4/readSidx.ts';
import type { ByteRange, MediaRef } from '../../timeline/asset.ts';
import type { Origin } from '../ports.ts';
import { notFetched, type Refusal } from '../source/presentation.ts';

const HEAD = 64 * 1024;
const LARGEST_INDEX = 16 * 1024 * 1024;
const MOST_READS = 64;
const MOST_REFERENCES = 250_000;

export type SegmentIndex = {
  readonly init: MediaRef;
  readonly timescale: number;
  /** One more than segments, on the media's own time. */
  readonly borders: Float64Array;
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
};

type Reading = { readonly url: string; readonly origin: Origin; reads: number };

async function readRange(reading: Reading, range: ByteRange): Promise<Uint8Array | Refusal> {
  reading.reads += 1;
  if (reading.reads > MOST_READS) return { refused: `its index takes more than ${MOST_READS} reads` };
  const result = await reading.origin.read(reading.url, { range, maxBytes: range.length });
  if (result.ok) return result.bytes;
  const bytes = `bytes ${range.start} to ${range.start + range.length - 1}`;
  return { ...notFetched(result), refused: `${bytes} of ${reading.url}: ${result.reason}` };
}

/** The box of this type at or after an offset, whole; what stands before it is stepped over, media are not. */
async function findSidx(
  reading: Reading,
  from: number,
  span = HEAD,
): Promise<{ sidx: Sidx; start: number; initEnd: number } | Refusal> {
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
      if (isWhole || atEnd || found.end - found.start > LARGEST_INDEX) return noIndex(reading);
      at += found.start;
      length = found.end - found.start;
      continue;
    }
    const last: Box | undefined = boxes.at(-1);
    // A header of up to 16 bytes may be cut off at the end of what was read.
    const isBroken = !last || last.end + 16 <= bytes.length;
    if (media || isBroken || bytes.length < length) return noIndex(reading);
    at += last.end;
    length = HEAD;
  }
}

const noIndex = ({ url }: Reading): Refusal => ({
  code: 'NO_INDEX',
  refused: `${url} must have a segment index (sidx) before its media, none was found`,
});

type Laid = { start: number; length: number; duration: number }[];

/** Lays the references of an index out; those to further indexes are followed. */
async function follow(reading: Reading, sidx: Sidx, timescale: number, laid: Laid): Promise<Refusal | undefined> {
  let offset = sidx.firstOffset;
  for (const { size, duration, isIndex } of sidx.references) {
    if (laid.length >= MOST_REFERENCES) return { refused: `its index lists more than ${MOST_REFERENCES} segments` };
    if (isIndex) {
      const inner = await findSidx(reading, offset);
      if ('refused' in inner) return inner;
      const failed = await follow(reading, inner.sidx, timescale, laid);
      if (failed) return failed;
    } else if (size > 0 && duration > 0) {
      laid.push({ start: offset, length: size, duration: (duration * timescale) / sidx.timescale });
    }
    offset += size;
  }
  return undefined;
}

/**
 * @param indexRange where the index is; absent, it is looked for from the first byte on
 * @param init the initialization that the MPD names; absent, it is what stands before the index
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
  const laid: Laid = [];
  const failed = await follow(reading, found.sidx, found.sidx.timescale, laid);
  if (failed) return failed;
  if (laid.length === 0) return { refused: `${url} has a segment index that lists no segment` };
  const borders = new Float64Array(laid.length + 1);
  borders[0] = found.sidx.earliest;
  for (const [index, { duration }] of laid.entries()) borders[index + 1] = borders[index]! + duration;
  const initLength = indexRange?.start || found.initEnd;
  if (!init && initLength === 0) return { refused: `${url} must have its moov before its segment index, it has not` };
  return {
    init: init ?? { url, range: { start: 0, length: initLength } },
    timescale: found.sidx.timescale,
    borders,
    starts: Float64Array.from(laid, ({ start }) => start),
    lengths: Float64Array.from(laid, ({ length }) => length),
  };
}
