// SPDX-License-Identifier: Apache-2.0
/**
 * The layout of a transport stream of one program: its tables and its elementary streams (ISO/IEC 13818-1 §2.4.4). Ads and
 * slate have the layout of the surrounding content, because some demuxers, such as libavformat's, treat another PID as another
 * stream and stop the one that was playing.
 */
export type TransportLayout = {
  /** transport_stream_id of the program association, program_number, and the PID of the program map. */
  readonly transportId: number;
  readonly program: number;
  readonly mapPid: number;
  /** In the order of the program map. */
  readonly streams: readonly {
    readonly kind: 'video' | 'audio';
    readonly pid: number;
    /** stream_id of the PES packets (§2.4.3.7). */
    readonly streamId: number;
  }[];
};
