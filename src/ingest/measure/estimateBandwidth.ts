// SPDX-License-Identifier: Apache-2.0
// Bit rates that a manifest does not state, or states too low.
import { numberAt } from '../../time/row.ts';
import type { Rendition, Track } from '../../timeline/asset/asset.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack } from '../source/presentation.ts';

type Bandwidth = Pick<Rendition, 'bandwidth' | 'averageBandwidth'>;
/** A part of a rendition, as its manifest describes it and as it was measured. */
export type MeasuredPart = { readonly nominal: NominalTrack; readonly opened: NominalTrack; readonly track: Track };
/** The sizes of segments, in bytes, by their index, as far as the reads of one import have revealed them. */
export type SegmentSizes = ReadonlyMap<NominalTrack, ReadonlyMap<number, number>>;
export type SegmentRate = { readonly bits: number; readonly seconds: number };

/** Parts that are sampled. */
const MAX_PARTS = 6;
/** How far measured segments may exceed the declared peak, which may be a mean, before the peak counts as wrong. */
const TOLERANCE = 1.25;
/** Fewer measured segments prove nothing, unless the track has no more. */
const LEAST_SAMPLES = 2;

/**
 * For a rendition without a declared bandwidth (EXT-X-MEDIA has no attribute for it). Uses the sizes in the track's byte
 * ranges if there are any, otherwise the first, middle and last segment of the first parts.
 */
export async function estimateBandwidth(parts: readonly MeasuredPart[], timescale: number, reader: MediaReader) {
  const samples = parts.slice(0, MAX_PARTS).map((part) => samplesOf(part, timescale, reader));
  return ratesOf((await Promise.all(samples)).flat());
}

async function samplesOf({ nominal, track: { urls, borders } }: MeasuredPart, timescale: number, reader: MediaReader) {
  const seconds = (index: number): number => (numberAt(borders, index + 1) - numberAt(borders, index)) / timescale;
  if (urls.kind === 'ranges') {
    return Array.from(urls.lengths, (length, index) => ({ bits: 8 * length, seconds: seconds(index) }));
  }
  const indices = [...new Set([0, nominal.count >> 1, nominal.count - 1])];
  const samples = indices.map(async (index) => {
    const segment = await reader.whole(nominal, index);
    return 'refused' in segment ? [] : [{ bits: 8 * segment.bytes.length, seconds: seconds(index) }];
  });
  return (await Promise.all(samples)).flat();
}

/**
 * The declared bandwidth, unless the segments that the import has read exceed its peak on average: then their bandwidth.
 * Ads are encoded at the rate of a rung, and players choose by it.
 */
export function correctBandwidth(
  declared: Bandwidth,
  parts: readonly MeasuredPart[],
  timescale: number,
  sizes: SegmentSizes,
): Bandwidth {
  const samples = parts.flatMap(({ opened, track: { borders, urls } }) => {
    const seconds = (from: number, to: number): number => (numberAt(borders, to) - numberAt(borders, from)) / timescale;
    const mean = seconds(0, borders.length - 1) / (borders.length - 1);
    const known = urls.kind === 'ranges' ? urls.lengths.entries() : (sizes.get(opened) ?? []);
    return [...known]
      .filter(([index]) => index + 1 < borders.length && isTypical(seconds(index, index + 1), mean))
      .map(([index, size]) => ({ bits: 8 * size, seconds: seconds(index, index + 1) }));
  });
  const measured = ratesOf(samples);
  const [first] = parts;
  const isKnown = samples.length >= Math.min(LEAST_SAMPLES, (first?.track.borders.length ?? 0) - 1);
  return isKnown && measured.averageBandwidth > TOLERANCE * declared.bandwidth ? measured : declared;
}

/** Whether a segment counts for the peak. A last segment of a few frames does not. */
const isTypical = (seconds: number, mean: number): boolean => seconds >= mean / 2;

function ratesOf(samples: readonly SegmentRate[]): Bandwidth {
  const all = samples.filter(({ seconds }) => seconds > 0);
  const mean = all.reduce((sum, each) => sum + each.seconds, 0) / (all.length || 1);
  const { averageBandwidth } = segmentRates(all);
  const { bandwidth } = segmentRates(all.filter((each) => isTypical(each.seconds, mean)));
  return { bandwidth: Math.max(bandwidth, averageBandwidth), averageBandwidth };
}

/** The peak and average segment bit rate (RFC 8216 §4.3.4.2), in bit/s, rounded up; 0 without segments. */
export function segmentRates(segments: readonly SegmentRate[]): Bandwidth {
  const bits = segments.reduce((sum, each) => sum + each.bits, 0);
  const seconds = segments.reduce((sum, each) => sum + each.seconds, 0);
  const peak = segments.reduce((most, each) => Math.max(most, each.bits / each.seconds), 0);
  return { bandwidth: Math.ceil(peak), averageBandwidth: Math.ceil(bits / (seconds || 1)) };
}
