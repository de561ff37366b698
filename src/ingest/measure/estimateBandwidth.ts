// SPDX-License-Identifier: Apache-2.0
// Bit rates that a manifest does not state, or states too low.
import { numberAt } from '../../time/row.ts';
import type { Rendition, Track } from '../../timeline/asset/asset.ts';
import type { MediaReader, SizeListener } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';

type Bandwidth = Pick<Rendition, 'bandwidth' | 'averageBandwidth'>;

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
export async function estimateBandwidth(
  nominal: readonly NominalTrack[],
  tracks: readonly Track[],
  timescale: number,
  reader: MediaReader,
): Promise<Bandwidth> {
  const samples = await Promise.all(
    tracks.slice(0, MAX_PARTS).map((track, part) => samplesOf(nominal[part]!, track, timescale, reader)),
  );
  return ratesOf(samples.flat());
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

/**
 * The declared bandwidth, unless the segments that the import has read exceed its peak on average: then their bandwidth.
 * Ads are encoded at the rate of a rung, and players choose by it.
 */
export function correctBandwidth(
  declared: Bandwidth,
  nominal: readonly NominalTrack[],
  tracks: readonly Track[],
  timescale: number,
  sizes: SegmentSizes,
): Bandwidth {
  const samples = tracks.flatMap(({ borders, urls }, part) => {
    const seconds = (from: number, to: number): number => (numberAt(borders, to) - numberAt(borders, from)) / timescale;
    const mean = seconds(0, borders.length - 1) / (borders.length - 1);
    const known = urls.kind === 'ranges' ? urls.lengths.entries() : sizes.of(nominal[part]!);
    return [...known]
      .filter(([index]) => index + 1 < borders.length && isTypical(seconds(index, index + 1), mean))
      .map(([index, size]) => ({ bits: 8 * size, seconds: seconds(index, index + 1) }));
  });
  const measured = ratesOf(samples);
  const isKnown = samples.length >= Math.min(LEAST_SAMPLES, tracks[0]!.borders.length - 1);
  return isKnown && measured.averageBandwidth > TOLERANCE * declared.bandwidth ? measured : declared;
}

async function samplesOf(
  nominal: NominalTrack,
  { urls, borders }: Track,
  timescale: number,
  reader: MediaReader,
): Promise<SegmentRate[]> {
  const seconds = (index: number): number => (numberAt(borders, index + 1) - numberAt(borders, index)) / timescale;
  if (urls.kind === 'ranges') {
    return Array.from(urls.lengths, (length, index) => ({ bits: 8 * length, seconds: seconds(index) }));
  }
  const indices = [...new Set([0, nominal.count >> 1, nominal.count - 1])];
  const read = await Promise.all(indices.map((index) => reader.whole(nominal, index)));
  return indices.flatMap((index, i) => {
    const segment: { readonly bytes: Uint8Array } | Refusal = read[i]!;
    return 'refused' in segment ? [] : [{ bits: 8 * segment.bytes.length, seconds: seconds(index) }];
  });
}

export type SegmentRate = { readonly bits: number; readonly seconds: number };

/** The peak and average segment bit rate (RFC 8216 §4.3.4.2), in bit/s, rounded up; 0 without segments. */
export function segmentRates(segments: readonly SegmentRate[]): Pick<Rendition, 'bandwidth' | 'averageBandwidth'> {
  const bits = segments.reduce((sum, each) => sum + each.bits, 0);
  const seconds = segments.reduce((sum, each) => sum + each.seconds, 0);
  const peak = segments.reduce((most, each) => Math.max(most, each.bits / each.seconds), 0);
  return { bandwidth: Math.ceil(peak), averageBandwidth: Math.ceil(bits / (seconds || 1)) };
}

/** The sizes of segments, in bytes, as far as the reads of one import have revealed them. */
export type SegmentSizes = {
  readonly add: SizeListener;
  /** By segment index. */
  of(track: NominalTrack): ReadonlyMap<number, number>;
};

export function createSegmentSizes(): SegmentSizes {
  const byTrack = new Map<NominalTrack, Map<number, number>>();
  return {
    add(track, index, bytes) {
      const sizes = byTrack.get(track) ?? new Map<number, number>();
      byTrack.set(track, sizes.set(index, bytes));
    },
    of: (track) => byTrack.get(track) ?? new Map(),
  };
}
