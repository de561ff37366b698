// Segments of an MPEG transport stream (ISO/IEC 13818-1) with a video stream, an audio stream or both. It knows packets,
// PES and program tables; it refuses to know where the access units come from.
//
// A segment stands by itself: tables first, and of each elementary stream a multiple of sixteen packets, so that every
// segment starts with continuity counter 0 and follows any other without a break (2.4.3.3).

import { PACKET, PesWriter, type TsUnit } from './muxPes.ts';
import { muxTables } from './muxTables.ts';

export type TsStream = {
  readonly kind: 'video' | 'audio';
  /** stream_type (2.4.4.9): 0x1b H.264, 0x24 H.265, 0x0f AAC in ADTS. */
  readonly streamType: number;
  readonly units: readonly TsUnit[];
};

const PIDS = { video: 0x100, audio: 0x101 } as const;
/** How far the decoder's clock runs behind decoding: 100 ms to fill its buffers. */
const PCR_LEAD = 9000;

/**
 * @param index the segment's place in its line; it counts the tables' continuity
 * @param streams one of each kind at most, with at least one unit each
 * @throws a bug report when there is nothing to mux
 */
export function muxSegment(index: number, streams: readonly TsStream[]): Uint8Array {
  const clock = streams.find((stream) => stream.kind === 'video') ?? streams[0];
  if (clock === undefined || streams.some((stream) => stream.units.length === 0))
    throw new Error('a transport stream segment needs a stream, and each stream an access unit');
  const programmed = streams.map(({ kind, streamType }) => ({ pid: PIDS[kind], streamType }));
  const tables = muxTables(index % 16, PIDS[clock.kind], programmed);
  const writers = streams.map((stream) => {
    const lead = stream === clock ? PCR_LEAD : undefined;
    return new PesWriter(PIDS[stream.kind], stream.kind, stream.units, lead);
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
