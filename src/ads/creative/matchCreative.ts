// SPDX-License-Identifier: Apache-2.0
// Whether an ad's own renditions can be used as they are in a channel's rungs. The rules are strict on purpose: an ad that
// does not match is conditioned, which always works, whereas an ad that a player cannot play loses the viewer. This checks
// what the manifest declares; ingest/condition checks that the segments agree with it.
import { defined } from '../../invariant.ts';
import {
  FLICKS_PER_MILLI,
  FLICKS_PER_SECOND,
  type FrameRate,
  framesToFlicks,
  ticksToFlicks,
} from '../../time/units.ts';
import { type Asset, borderAt, endOf, type Rendition } from '../../timeline/asset/asset.ts';
import { creativeFrames } from '../../timeline/asset/frameGrid.ts';
import { AD_PEAK_FACTOR, type Ladder, type Rung } from '../../timeline/ladder/ladder.ts';
import { byQuality, fitToLadder, type MisfitCode } from '../../timeline/ladder/ladderOf.ts';
import { audioFrameSamples } from './conditionedAsset.ts';

export type MismatchCode =
  | MisfitCode
  | 'IMPORT_WARNING'
  | 'DISCONTINUITY'
  | 'ENCRYPTED'
  | 'BYTE_RANGES'
  | 'MUXED'
  | 'NO_VIDEO'
  | 'FRAME_COUNT'
  | 'START_TIME'
  | 'END_TIME'
  | 'SHORT_SEGMENT'
  | 'NO_RENDITION'
  | 'VARIABLE_FRAME_RATE'
  | 'FRAME_RATE'
  | 'CODEC'
  | 'ASPECT_RATIO'
  | 'PICTURE_TOO_LARGE'
  | 'PICTURE_TOO_SMALL'
  | 'SAMPLE_RATE'
  | 'CHANNELS'
  | 'BIT_RATE';

/** Why a creative is not used as it is. `unlike` is a clause for operators. */
type Mismatch = { readonly code: MismatchCode; readonly unlike: string };

/** A rendition for each video and audio rung, in the order of the ladder. */
type Match = { readonly renditions: readonly Rendition[]; readonly frames: number };

/** Players have trouble with shorter segments, in particular next to a discontinuity. */
const MIN_SEGMENT = FLICKS_PER_SECOND / 2;

const mismatch = (code: MismatchCode, unlike: string): Mismatch => ({ code, unlike });

const qualityOf = ({ id, kind, width, height }: Rung): string =>
  kind === 'audio' || width === undefined || height === undefined ? `${kind} ${id}` : `video ${width}×${height}`;

/** @param asset as imported */
export function matchCreative(asset: Asset, ladder: Ladder): Match | Mismatch {
  const unusable = presentationMismatch(asset) ?? ladderMismatch(asset, ladder);
  if (unusable !== undefined) return unusable;
  const renditions: Rendition[] = [];
  for (const rung of ladder.rungs.filter(({ kind }) => kind !== 'text')) {
    const found = matchRung(rung, asset.renditions, ladder.frameRate);
    if ('unlike' in found) return mismatch(found.code, `${qualityOf(rung)}: ${found.unlike}`);
    renditions.push(found);
  }
  const [reference] = renditions;
  if (reference?.kind !== 'video') return mismatch('NO_VIDEO', 'it has no video rendition of its own');
  const frames = framesOf(reference, ladder.frameRate);
  const nominal = creativeFrames((frames * ladder.frameRate.d) / ladder.frameRate.n, ladder.frameRate);
  if (frames !== nominal) {
    return mismatch('FRAME_COUNT', `it has ${frames} frames; its nominal duration requires ${nominal}`);
  }
  const duration = framesToFlicks(frames, ladder.frameRate);
  for (const rendition of renditions) {
    const mistimed = timeMismatch(rendition, asset, duration);
    if (mistimed !== undefined) return mistimed;
  }
  return { renditions, frames };
}

function presentationMismatch({ parts, renditions, warnings }: Asset): Mismatch | undefined {
  const [warning] = warnings;
  if (warning !== undefined) return mismatch('IMPORT_WARNING', warning);
  if (parts.length !== 1) return mismatch('DISCONTINUITY', `it has ${parts.length - 1} discontinuities`);
  const tracks = renditions.flatMap((rendition) => rendition.tracks);
  if (tracks.some(({ protection }) => protection !== undefined)) return mismatch('ENCRYPTED', 'it is encrypted');
  if (!tracks.some(({ urls }) => urls.kind === 'ranges' || urls.kind === 'pieces')) return undefined;
  return mismatch('BYTE_RANGES', 'its segments are byte ranges, which not every player can request from another host');
}

function ladderMismatch(asset: Asset, ladder: Ladder): Mismatch | undefined {
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return mismatch(fit.code, fit.reason);
  if (ladder.container !== 'ts' && ladder.layout !== 'muxed') return undefined;
  return mismatch('MUXED', 'its segments contain both video and audio, so the start and end of its audio are unknown');
}

/** @param rendition of an asset of one part */
const bordersOf = ({ tracks: [track] }: Rendition): Float64Array =>
  defined(track, 'a rendition has a track for each part of its asset').borders;

function framesOf(rendition: Rendition, rate: FrameRate): number {
  const borders = bordersOf(rendition);
  return Math.round(((endOf(borders) - borderAt(borders, 0)) * rate.n) / (rendition.timescale * rate.d));
}

/** Law 6 for a span: whole video frames, and audio that starts and ends within half an audio frame of them. */
function timeMismatch(rendition: Rendition, { parts: [part] }: Asset, duration: number): Mismatch | undefined {
  const { kind, timescale, codecs, sampleRate = timescale } = rendition;
  const borders = bordersOf(rendition).map((border) => ticksToFlicks(border, timescale));
  const { zero } = defined(part, 'a creative that matches has one part');
  const tolerance = kind === 'audio' ? (audioFrameSamples(codecs) * FLICKS_PER_SECOND) / sampleRate / 2 : 1;
  const name = kind === 'audio' ? 'its audio' : 'its video';
  const milliseconds = (value: number): string => `${(value / FLICKS_PER_MILLI).toFixed(1)} ms`;
  const late = borderAt(borders, 0) - zero;
  if (Math.abs(late) > tolerance) return mismatch('START_TIME', `${name} starts ${milliseconds(late)} after its video`);
  const excess = endOf(borders) - zero - duration;
  if (Math.abs(excess) > tolerance) {
    return mismatch('END_TIME', `${name} ends ${milliseconds(excess)} after its last whole video frame`);
  }
  const lengths = borders.subarray(1).map((border, index) => border - borderAt(borders, index));
  const shortest = Math.min(...lengths);
  if (shortest >= MIN_SEGMENT) return undefined;
  return mismatch('SHORT_SEGMENT', `${name} has a segment of ${milliseconds(shortest)}; the minimum is 500 ms`);
}

// Which rendition of an ad can be used as it is in a rung: one that the rung's decoder can play, with the same frame rate and
// aspect ratio, no larger than the rung, and within the bit rate that the channel declares for it.

/** Aspect ratios may differ because sizes are rounded to even numbers. */
const ASPECT_RATIO_TOLERANCE = 0.02;
/** A picture less than half as high as its rung is visibly worse. */
const MIN_RELATIVE_HEIGHT = 0.5;

/** @returns the best rendition that fits the rung, or why there is none */
function matchRung(rung: Rung, renditions: readonly Rendition[], rate: FrameRate): Rendition | Mismatch {
  const ofKind = renditions.filter(({ kind }) => kind === rung.kind);
  const mismatchOf = rung.kind === 'audio' ? audioMismatch : videoMismatch;
  const fitting = ofKind.filter((rendition) => mismatchOf(rendition, rung, rate) === undefined);
  const [best] = rung.kind === 'audio' ? fitting.sort(byLanguage(rung)) : fitting.sort(byQuality);
  if (best !== undefined) return best;
  const nearest = ofKind.sort((a, b) => heightDifference(a, rung) - heightDifference(b, rung))[0];
  if (nearest === undefined) return { code: 'NO_RENDITION', unlike: `the creative has no ${rung.kind}` };
  return mismatchOf(nearest, rung, rate) ?? nearest;
}

const heightDifference = ({ height = 0 }: Rendition, rung: Rung): number => Math.abs(height - (rung.height ?? 0));
const byLanguage =
  ({ language = 'und' }: Rung) =>
  (a: Rendition, b: Rendition): number => {
    const rank = (one: Rendition): number => (one.language === language ? 0 : one.isDefault ? 1 : 2);
    return rank(a) - rank(b) || b.bandwidth - a.bandwidth;
  };

const rateText = ({ n, d }: FrameRate): string => (d === 1 ? `${n}` : `${n}/${d}`);

/** Why a value of the creative does not match that of the channel. */
const differs = (code: MismatchCode, what: string, channel: string | number, creative: unknown): Mismatch =>
  mismatch(code, `the channel's ${what} is ${channel}; the creative's is ${creative}`);

function videoMismatch(rendition: Rendition, rung: Rung, rate: FrameRate): Mismatch | undefined {
  const { codecs, frameRate, width = 0, height = 0 } = rendition;
  if (frameRate === undefined) return mismatch('VARIABLE_FRAME_RATE', "the creative's frame rate is variable");
  if (frameRate.n * rate.d !== rate.n * frameRate.d) {
    return differs('FRAME_RATE', 'frame rate', rateText(rate), rateText(frameRate));
  }
  if (!canDecode(codecs, rung.codecs)) return differs('CODEC', 'codec', rung.codecs, codecs);
  const [rungWidth, rungHeight] = [rung.width ?? width, rung.height ?? height];
  const size = `${width}×${height} where the channel has ${rungWidth}×${rungHeight}`;
  if (Math.abs((width * rungHeight) / (height * rungWidth) - 1) > ASPECT_RATIO_TOLERANCE || height === 0) {
    return { code: 'ASPECT_RATIO', unlike: `its picture has a different aspect ratio: ${size}` };
  }
  if (height > rungHeight) return { code: 'PICTURE_TOO_LARGE', unlike: `its picture is too large: ${size}` };
  if (height < MIN_RELATIVE_HEIGHT * rungHeight) {
    return { code: 'PICTURE_TOO_SMALL', unlike: `its picture is too small: ${size}` };
  }
  return bandwidthMismatch(rendition, rung);
}

function audioMismatch(rendition: Rendition, rung: Rung): Mismatch | undefined {
  const { codecs, sampleRate, channels = 2 } = rendition;
  const [rungRate, rungChannels] = [rung.sampleRate ?? 48_000, rung.channels ?? 2];
  if (codecs.toLowerCase() !== rung.codecs.toLowerCase()) return differs('CODEC', 'codec', rung.codecs, codecs);
  if (sampleRate !== rungRate) return differs('SAMPLE_RATE', 'sample rate', rungRate, sampleRate);
  if (channels !== rungChannels) return differs('CHANNELS', 'number of audio channels', rungChannels, channels);
  return bandwidthMismatch(rendition, rung);
}

/** BANDWIDTH of the multivariant playlist also applies to ads (RFC 8216 §4.3.4.2). */
function bandwidthMismatch({ bandwidth }: Rendition, rung: Rung): Mismatch | undefined {
  const declared = Math.max(rung.bandwidth, rung.averageBandwidth * AD_PEAK_FACTOR);
  if (bandwidth <= declared) return undefined;
  const kbits = (value: number): string => `${Math.ceil(value / 1000)} kbit/s`;
  const unlike = `the creative's bit rate is ${kbits(bandwidth)}; the channel declares at most ${kbits(declared)}`;
  return { code: 'BIT_RATE', unlike };
}

const PROFILES = ['42', '4d', '64'];

const h264Of = (codec: string): { profile: string; level: number } | undefined => {
  const [, profile, level] = /^avc[13]\.([0-9a-f]{2})[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec) ?? [];
  return profile && level ? { profile, level: Number.parseInt(level, 16) } : undefined;
};

/** Whether a decoder of the rung can play a codec: H.264 of at most its profile and level (RFC 6381 §3.3), else the same. */
function canDecode(codec: string, rungCodec: string): boolean {
  const [own, rungs] = [h264Of(codec), h264Of(rungCodec)];
  if (!own || !rungs) return codec.toLowerCase() === rungCodec.toLowerCase();
  const rank = (profile: string): number => PROFILES.indexOf(profile.toLowerCase());
  const [ownRank, rungRank] = [rank(own.profile), rank(rungs.profile)];
  const isLower = ownRank >= 0 && rungRank >= 0 ? ownRank <= rungRank : own.profile === rungs.profile;
  return codec.slice(0, 4) === rungCodec.slice(0, 4) && isLower && own.level <= rungs.level;
}
