import type { Rendition, Track } from '../../timeline/asset.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';

type Bandwidth = Pick<Rendition, 'bandwidth' | 'averageBandwidth'>;
type Sample = { readonly bits: number; readonly seconds: number };

/** Parts that are weighed. */
const MOST_PARTS = 6;

/**
 * EXT-X-MEDIA tells no bandwidth: what is not told is counted where sizes are, else weighed on the first, middle and last
 * segment of the first parts.
 */
export async function estimateBandwidth(
  nominal: readonly NominalTrack[],
  tracks: readonly Track[],
  timescale: number,
  reader: MediaReader,
): Promise<Bandwidth> {
  const samples = await Promise.all(
    tracks.slice(0, MOST_PARTS).map((track, part) => samplesOf(nominal[part]!, track, timescale, reader)),
  );
  return ratesOf(samples.flat());
}

function ratesOf(samples: readonly Sample[]): Bandwidth {
  const all = samples.filter(({ seconds }) => seconds > 0);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const average = sum(all.map(({ bits }) => bits)) / (sum(all.map(({ seconds }) => seconds)) || 1);
  // A last segment of a few frames says nothing of the peak.
  const usual = sum(all.map(({ seconds }) => seconds)) / (all.length || 1);
  const peaks = all.filter(({ seconds }) => seconds >= usual / 2).map(({ bits, seconds }) => bits / seconds);
  const bandwidth = peaks.reduce((most, peak) => Math.max(most, peak), average);
  return { bandwidth: Math.ceil(bandwidth), averageBandwidth: Math.ceil(average) };
}

/** What is told may be a mean, and the few segments that were seen above it. */
const DOUBT = 1.25;
/** Fewer segments say nothing, unless there are no more. */
const FEW = 2;

/**
 * What a manifest tells, unless the segments that were read while it was imported are on average clearly above its peak:
 * then what they are. Ads are made at a rung's rate, and players choose by it.
 */
export function correctBandwidth(
  told: Bandwidth,
  nominal: readonly NominalTrack[],
  tracks: readonly Track[],
  timescale: number,
  reader: MediaReader,
): Bandwidth {
  const samples = tracks.flatMap(({ borders, urls }, part) => {
    const seconds = (from: number, to: number): number => (borders[to]! - borders[from]!) / timescale;
    const usual = seconds(0, borders.length - 1) / (borders.length - 1);
    const sizes = urls.kind === 'ranges' ? urls.lengths.entries() : reader.sizesOf(nominal[part]!);
    return [...sizes]
      .filter(([index]) => index + 1 < borders.length && seconds(index, index + 1) >= usual / 2)
      .map(([index, size]) => ({ bits: 8 * size, seconds: seconds(index, index + 1) }));
  });
  const seen = ratesOf(samples);
  const isKnown = samples.length >= Math.min(FEW, tracks[0]!.borders.length - 1);
  return isKnown && seen.averageBandwidth > DOUBT * told.bandwidth ? seen : told;
}

async function samplesOf(
  nominal: NominalTrack,
  { urls, borders }: Track,
  timescale: number,
  reader: MediaReader,
): Promise<Sample[]> {
  const seconds = (index: number): number => (borders[index + 1]! - borders[index]!) / timescale;
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
