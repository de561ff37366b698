// SPDX-License-Identifier: Apache-2.0
import type { ConditionedRung } from '../../../ads/creative/creative.ts';
import { TS_HEADER, TS_PACKET } from '../../../mpegts/packet.ts';
import { MPEG_TIMESCALE } from '../../../time/mpegClock.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { type SegmentRate, segmentRates } from '../../measure/segmentRates.ts';
import type { PackagedTrack } from '../../package/packagedMedia.ts';
import type { EncodePlan } from '../plan/planEncode.ts';

/** Bytes that a transport stream adds to a sample: the PES header and on average half a packet of stuffing. */
const TS_OVERHEAD = 110;

/** The attributes of each rung for manifests, measured on its encodes. The size of MPEG-TS is estimated, not muxed. */
export const measureRungs = (ladder: Ladder, plan: EncodePlan, tracks: readonly PackagedTrack[]): ConditionedRung[] =>
  plan.rungs.map(({ video, audio }): ConditionedRung => {
    const isTs = ladder.container === 'ts';
    const places = [video, audio === undefined ? undefined : plan.videos.length + audio];
    const played = places.filter((place) => place !== undefined).map((place) => tracks[place]!);
    const rates = played.map((track) => segmentRates(segmentsOf(track, isTs)));
    return {
      codecs: played.map(({ codecs }) => codecs).join(','),
      timescale: isTs ? MPEG_TIMESCALE : played[0]!.timescale,
      bandwidth: rates.reduce((sum, { bandwidth }) => sum + bandwidth, 0),
      averageBandwidth: rates.reduce((sum, { averageBandwidth }) => sum + averageBandwidth, 0),
    };
  });

const segmentsOf = ({ sizes, counts, unit, timescale }: PackagedTrack, isTs: boolean): SegmentRate[] =>
  sizes.map((size, index) => {
    const samples = counts[index]!;
    const bytes = isTs ? (size * TS_PACKET) / (TS_PACKET - TS_HEADER) + TS_OVERHEAD * samples : size;
    return { bits: 8 * bytes, seconds: (samples * unit) / timescale };
  });
