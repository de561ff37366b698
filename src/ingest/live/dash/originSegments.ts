// SPDX-License-Identifier: Apache-2.0
// The segments of a rung over all Periods of a live MPD, in the form that both readers of origins share.
import type { LivePeriod, LiveRepresentation } from '../../../dash/read/live/liveMpd.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type CountedSegment, IN_SLICE, type SegmentCounter } from './segmentCounter.ts';

/** A rendition to read: a rung of a feed, or a Representation that is sampled. */
export type WantedRendition = {
  /** Absent while the media have not been read: then media times are in the timescale of the MPD. */
  readonly timescale?: number;
  readonly protection?: readonly string[];
};

/** A Period and the Representation of the rung in it. */
export type PeriodOfRung = { readonly period: LivePeriod; readonly representation: LiveRepresentation };

export function* originSegments(
  { timescale: wanted, protection: usual = [] }: WantedRendition,
  periods: readonly PeriodOfRung[],
  count: SegmentCounter,
): Sliced<OriginSegment[]> {
  const listed: (CountedSegment & { readonly shared: Pick<OriginSegment, 'init' | 'protection'> })[] = [];
  for (const { period, representation } of periods) {
    const { segments, protection } = representation;
    const { init, timescale } = segments;
    const { stretch } = period;
    const isUsual = protection.length === usual.length && protection.every((one, index) => one === usual[index]);
    const shared = { ...(init && { init }), ...(isUsual ? {} : { protection }) };
    for (const segment of segments.segments) {
      if (listed.length % IN_SLICE === 0) yield;
      listed.push({ ...segment, stretch, shared, timescale });
    }
  }
  const counted = yield* count(listed);
  const converted: OriginSegment[] = [];
  for (const [index, { time, startsAt, duration, media, shared, timescale }] of listed.entries()) {
    if (index % IN_SLICE === 0) yield;
    const mediaTime = wanted === undefined || wanted === timescale ? Number(time) : rescale(time, timescale, wanted);
    converted.push({ ...counted[index]!, startsAt, duration, media, ...shared, mediaTime });
  }
  return converted;
}

function rescale(time: bigint, from: number, to: number): number {
  const [scale, half] = [BigInt(from), BigInt(from) / 2n];
  return Number((time * BigInt(to) + half) / scale);
}
