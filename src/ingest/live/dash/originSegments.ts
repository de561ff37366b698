// SPDX-License-Identifier: Apache-2.0
// The segments of a rung over all Periods of a live MPD, in the form that both readers of origins share.
import type { LivePeriod, LiveRepresentation } from '../../../dash/read/live/liveMpd.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { SegmentCounter } from './segmentCounter.ts';

/** A rendition to read: a rung of a feed, or a Representation that is sampled. */
export type WantedRendition = {
  /** Absent while the media have not been read: then media times are in the timescale of the MPD. */
  readonly timescale?: number;
  readonly protection?: readonly string[];
};

/** A Period and the Representation of the rung in it. */
export type PeriodOfRung = { readonly period: LivePeriod; readonly representation: LiveRepresentation };

export function originSegments(
  { timescale: wanted, protection: usual = [] }: WantedRendition,
  periods: readonly PeriodOfRung[],
  count: SegmentCounter,
): OriginSegment[] {
  const listed = periods.flatMap(({ period: { stretch }, representation: { segments, protection } }) => {
    const { init, timescale } = segments;
    const isUsual = protection.length === usual.length && protection.every((one, index) => one === usual[index]);
    const shared = { ...(init && { init }), ...(isUsual ? {} : { protection }) };
    return segments.segments.map((segment) => ({ ...segment, stretch, shared, timescale }));
  });
  const counted = count(listed);
  return listed.map(({ time, startsAt, duration, media, shared, timescale }, index) => ({
    ...counted[index]!,
    startsAt,
    duration,
    media,
    ...shared,
    mediaTime: wanted === undefined || wanted === timescale ? Number(time) : rescale(time, timescale, wanted),
  }));
}

function rescale(time: bigint, from: number, to: number): number {
  const [scale, half] = [BigInt(from), BigInt(from) / 2n];
  return Number((time * BigInt(to) + half) / scale);
}
