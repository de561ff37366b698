// SPDX-License-Identifier: Apache-2.0
// Whether an ad's own renditions can be used as they are in a channel's rungs. The rules are strict on purpose: an ad that
// does not match is conditioned, which always works, whereas an ad that a player cannot play loses the viewer. This checks
// what the manifest declares; ingest/condition checks that the segments agree with it.
import { defined } from '../../invariant.ts';
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks, ticksToFlicks } from '../../time/units.ts';
import { type Asset, borderAt, endOf, type Rendition } from '../../timeline/asset/asset.ts';
import { creativeFrames } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fitToLadder, type MisfitCode } from '../../timeline/ladder/ladderOf.ts';
import { audioFrameSamples } from './conditionedAsset.ts';
import { matchRung, type RungMismatchCode } from './matchRung.ts';

export type MismatchCode =
  | RungMismatchCode
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
  | 'SHORT_SEGMENT';

/** Why a creative is not used as it is. `unlike` is a clause for operators. */
export type Mismatch = { readonly code: MismatchCode; readonly unlike: string };

/** A rendition for each video and audio rung, in the order of the ladder. */
export type Match = { readonly renditions: readonly Rendition[]; readonly frames: number };

/** Players have trouble with shorter segments, in particular next to a discontinuity. */
const MIN_SEGMENT = FLICKS_PER_SECOND / 2;

const mismatch = (code: MismatchCode, unlike: string): Mismatch => ({ code, unlike });

/** @param asset as imported */
export function matchCreative(asset: Asset, ladder: Ladder): Match | Mismatch {
  const unusable = presentationMismatch(asset) ?? ladderMismatch(asset, ladder);
  if (unusable !== undefined) return unusable;
  const renditions: Rendition[] = [];
  for (const rung of ladder.rungs.filter(({ kind }) => kind !== 'text')) {
    const found = matchRung(rung, asset.renditions, ladder.frameRate);
    if ('unlike' in found) return mismatch(found.code, `rung ${rung.id}: ${found.unlike}`);
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
  if (tracks.some(({ urls }) => urls.kind === 'ranges' || urls.kind === 'pieces')) {
    return mismatch(
      'BYTE_RANGES',
      'its segments are byte ranges, which not every player can request from another host',
    );
  }
  return undefined;
}

function ladderMismatch(asset: Asset, ladder: Ladder): Mismatch | undefined {
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return mismatch(fit.code, fit.reason);
  if (ladder.container === 'ts' || ladder.layout === 'muxed') {
    return mismatch(
      'MUXED',
      'its segments contain both video and audio, so the start and end of its audio are unknown',
    );
  }
  return undefined;
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
  const milliseconds = (value: number): string => `${(value / 705_600).toFixed(1)} ms`;
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
