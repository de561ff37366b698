// Segments of an MPEG transport stream (ISO/IEC 13818-1) with a video stream, an audio stream or both. It knows packets,
// PES and program tables; it refuses to know where the access units come from.
//
// A segment stands by itself: tables first, and of each elementary stream a multiple of sixteen packets, so that every
// segment starts with continuity counter 0 and follows any other without a break (2.4.3.3). The first of a line follows
// content, on the same PIDs, and says so.

import { PACKET, PesWriter, type TsUnit } from './muxPes.ts';
import { muxTables, type TableIds } from './muxTables.ts';

export type TsStream = {
  readonly kind: 'video' | 'audio';
  /** stream_type (2.4.4.9): 0x1b H.264, 0x24 H.265, 0x0f AAC in ADTS. */
  readonly streamType: number;
  readonly units: readonly TsUnit[];
};

/** Where the tables and the streams stand; streams in the order of the map. */
export type TsLayout = TableIds & {
  readonly streams: readonly { readonly kind: TsStream['kind']; readonly pid: number; readonly streamId: number }[];
};

/** Unless the content has another. */
const USUAL: TsLayout = {
  transportId: 1,
  program: 1,
  mapPid: 0x1000,
  streams: [
    { kind: 'video', pid: 0x100, streamId: 0xe0 },
    { kind: 'audio', pid: 0x101, streamId: 0xc0 },
  ],
};
/** How far the decoder's clock runs behind decoding: 100 ms to fill its buffers. */
const PCR_LEAD = 9000;

/**
 * @param index the segment's place in its line; it counts the tables' continuity, and 0 is a discontinuity
 * @param streams one of each kind at most, with at least one unit each
 * @param layout has a place for each of the streams
 * @throws a bug report when there is nothing to mux, or no place for it
 */
export function muxSegment(index: number, streams: readonly TsStream[], layout: TsLayout = USUAL): Uint8Array {
  const clock = streams.find((stream) => stream.kind === 'video') ?? streams[0];
  if (clock === undefined || streams.some((stream) => stream.units.length === 0))
    throw new Error('a transport stream segment needs a stream, and each stream an access unit');
  const placed = layout.streams.flatMap((place) => {
    const stream = streams.find(({ kind }) => kind === place.kind);
    return stream === undefined ? [] : [{ ...place, stream }];
  });
  if (placed.length !== streams.length) throw new Error('each stream needs one place in the layout');
  const programmed = placed.map(({ pid, stream: { streamType } }) => ({ pid, streamType }));
  const tables = muxTables(index % 16, layout, placed.find(({ stream }) => stream === clock)!.pid, programmed);
  const writers = placed.map(({ pid, streamId, stream }) => {
    const lead = stream === clock ? PCR_LEAD : undefined;
    return new PesWriter(pid, streamId, stream.units, lead, index === 0);
  });
  const packets = writers.reduce((sum, writer) => sum + writer.packets, 0);
  const segment = new Uint8Array(tables.length + packets * PACKET);
  segment.set(tables);
  let at = tables.length;
  while (at < segment.length) {
    const next = writers.reduce((first, writer) => (writer.nextTime < first.nextTime ? writer : first));
    at = next.write(segment, at);
  }
  return segment;
}
