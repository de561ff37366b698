import type { ConditionedRung } from '../../../ads/creative/creative.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { PackagedTrack } from '../../package/packagedMedia.ts';
import type { EncodePlan } from '../plan/planEncode.ts';

/** Bytes that a transport stream adds to a sample: PES header and, on average, half a packet of stuffing. */
const TS_OVERHEAD = 110;

/** What a manifest tells of each rung, measured on what was made; of MPEG-TS the size is reckoned, not muxed. */
export const measureRungs = (ladder: Ladder, plan: EncodePlan, tracks: readonly PackagedTrack[]): ConditionedRung[] =>
  plan.rungs.map(({ video, audio }): ConditionedRung => {
    const isTs = ladder.container === 'ts';
    const places = [video, audio === undefined ? undefined : plan.videos.length + audio];
    const played = places.filter((place) => place !== undefined).map((place) => tracks[place]!);
    const rates = played.map((track) => bitRates(track, isTs));
    return {
      codecs: played.map(({ codecs }) => codecs).join(','),
      timescale: isTs ? 90_000 : played[0]!.timescale,
      bandwidth: rates.reduce((sum, { peak }) => sum + peak, 0),
      averageBandwidth: rates.reduce((sum, { average }) => sum + average, 0),
    };
  });

function bitRates(track: PackagedTrack, isTs: boolean): { peak: number; average: number } {
  const bits = track.sizes.map(
    (size, index) => 8 * (isTs ? (size * 188) / 184 + TS_OVERHEAD * track.counts[index]! : size),
  );
  const seconds = track.counts.map((count) => (count * track.unit) / track.timescale);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const peak = Math.max(...bits.map((value, index) => value / seconds[index]!));
  return { peak: Math.ceil(peak), average: Math.ceil(sum(bits) / sum(seconds)) };
}
