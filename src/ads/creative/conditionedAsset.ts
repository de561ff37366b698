// SPDX-License-Identifier: Apache-2.0
// Describes conditioned media as assets of a channel. Segments and their URLs are computed from frame counts, without
// reading any file.
//
// The last segment of stored media is longer than the creative: it ends with a held picture and silence. The same files can
// therefore play a few frames shorter or up to half a second longer, so that the last ad of a pod fills its break exactly.
import { defined, lastOf, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { FLICKS_PER_SECOND, type FrameRate, flicks, framesToFlicks } from '../../time/units.ts';
import type { Asset, Rendition, Track } from '../../timeline/asset/asset.ts';
import { type AudioGrid, joinedAudio, joinText, type Sound } from '../../timeline/asset/audioJoin.ts';
import {
  AAC_FRAME,
  adBorders,
  audioBorder,
  framesPerSecond,
  minSlateFrames,
  slateSegments,
  videoTicks,
} from '../../timeline/asset/frameGrid.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { fillerText, textGrid } from '../../timeline/ladder/servedText.ts';
import type { ConditionedMedia, ConditionedRung } from './creative.ts';

/** Seconds at which the media time of MPEG-TS segments starts, which leaves space for PCR and reordering. */
const TS_BASE = 10;
const TS_CLOCK = 90_000;

/** Samples of an audio frame: 1024 of AAC, 1536 of AC-3 and E-AC-3 (ETSI TS 102 366 §4.4). */
export const audioFrameSamples = (codecs: string): number => (/^[ae]c-3/.test(codecs) ? 1536 : AAC_FRAME);

/** The audio frames of a rung that has audio; the same as those of its encode (ingest/condition/plan/planEncode.ts). */
export const audioGridOf = ({ codecs, sampleRate = 48_000 }: Pick<Rung, 'codecs' | 'sampleRate'>): AudioGrid => ({
  sampleRate,
  frameSamples: audioFrameSamples(codecs.slice(codecs.lastIndexOf(',') + 1).trim()),
});

/** Frames of held picture and silence that are stored after the end of a creative. */
export const heldFrames = (rate: FrameRate): number => minSlateFrames(rate);

/**
 * The frame at which creatives start on their own timeline: a tenth of a second, because audio may begin before video. Not more,
 * because ffmpeg takes a jump of media time by less than ten seconds ahead for missing media.
 */
export const creativeStart = (rate: FrameRate): number => Math.ceil(rate.n / rate.d / 10);

/** The frame of the slate's timeline at which its irregular first segment ends and the shared seconds start. */
export const slateBase = (rate: FrameRate): number => 10 * framesPerSecond(rate);

/** The lengths in frames at which a creative of `frames` can play: a quarter second shorter to half a second longer. */
export const playableFrames = (frames: number, rate: FrameRate): { min: number; max: number } => ({
  min: Math.max(1, frames - Math.floor(framesPerSecond(rate) / 4)),
  max: frames + heldFrames(rate),
});

/** Borders of `stored` frames that play for `frames`; only the last one differs. @throws Error, a bug, if out of range */
export function playedBorders(stored: number, frames: number, rate: FrameRate): number[] {
  const { min, max } = playableFrames(stored, rate);
  if (!Number.isInteger(frames) || frames < min || frames > max)
    throw new Error(`A creative of ${stored} frames can play for ${min} to ${max} frames; got ${frames}.`);
  return [...adBorders(stored, rate).slice(0, -1), frames];
}

/** An asset of `frames` frames. @param baseUrl prefix of `/m/…` @param sound of media with a `startFrame` */
export function creativeAsset(
  media: ConditionedMedia,
  ladder: Ladder,
  frames: number,
  baseUrl: string,
  sound?: Sound,
): Asset {
  if (media.asset !== undefined) return listedAsset(media, media.asset, ladder, frames, baseUrl);
  const { startFrame = 0 } = media;
  const [, ...later] = playedBorders(media.frames, frames, ladder.frameRate);
  const borders: Borders = [startFrame, ...later.map((border) => startFrame + border)];
  const names = { id: `${media.id}-${frames}`, url: `${baseUrl}/m/${media.id}/${frames}` };
  return gridAsset(names, media, ladder, borders, sound);
}

/** A creative whose own segments are listed. Its renditions get the ids of their rungs. */
function listedAsset(media: ConditionedMedia, asset: Asset, ladder: Ladder, frames: number, baseUrl: string): Asset {
  if (frames !== media.frames) {
    throw new Error(`Creative ${media.id} is used as is and has ${media.frames} frames; got ${frames}.`);
  }
  const renditions = ladder.rungs.map((rung, index): Rendition => {
    if (rung.kind === 'text') return filler(rung, textGrid(asset), `${baseUrl}/m/${media.id}/${frames}`);
    const { id, language, name, isDefault } = rung;
    const own = defined(asset.renditions[index], 'a creative that is used as is has a rendition for each rung');
    const { language: _, name: __, isDefault: ___, ...rendition } = own;
    return { ...rendition, id, ...withoutUndefined({ language, name, isDefault }) };
  });
  return { ...asset, id: `${media.id}-${frames}`, renditions };
}

/** Slate of exactly `totalFrames` frames, which must be at least half a second. */
export function slateAsset(
  media: ConditionedMedia,
  ladder: Ladder,
  totalFrames: number,
  baseUrl: string,
  sound?: Sound,
): Asset {
  const { first, whole } = slateSegments(totalFrames, ladder.frameRate);
  const base = slateBase(ladder.frameRate);
  const second = framesPerSecond(ladder.frameRate);
  // In frames of the slate's timeline.
  const borders: Borders = [base - first, ...Array.from({ length: whole + 1 }, (_, index) => base + index * second)];
  const names = { id: `${media.id}-s${totalFrames}`, url: `${baseUrl}/m/${media.id}/${first}` };
  return gridAsset(names, media, ladder, borders, sound);
}

/** The segment borders of media, in frames of its timeline. */
type Borders = NonEmpty<number>;

function gridAsset(
  { id, url }: Pick<Asset, 'id' | 'url'>,
  media: ConditionedMedia,
  ladder: Ladder,
  borders: Borders,
  sound: Sound | undefined,
): Asset {
  const rate = ladder.frameRate;
  const [start] = borders;
  const duration = framesToFlicks(lastOf(borders) - start, rate);
  const base = ladder.container === 'ts' ? TS_BASE : 0;
  const zero = flicks(base * FLICKS_PER_SECOND + framesToFlicks(start, rate));
  const cutPoints = Float64Array.from(borders, (border) => framesToFlicks(border - start, rate));
  const shared = new Map<string, Float64Array>();
  const played = ladder.rungs.filter(({ kind }) => kind !== 'text');
  const renditions = played.map((rung, index): Rendition => {
    const conditioned = media.rungs[index];
    if (conditioned === undefined)
      throw new Error(`Media ${media.id} has ${media.rungs.length} rungs; the ladder has ${played.length}.`);
    const grid = `${rung.kind === 'audio'} ${conditioned.timescale} ${rung.sampleRate} ${audioFrameSamples(conditioned.codecs)}`;
    const ticks = shared.get(grid) ?? rungBorders(borders, rung, conditioned, ladder);
    shared.set(grid, ticks);
    const folder = `${url}/${rung.id}${joinText(sound, index, rung.kind, borders.length - 2)}/`;
    const track = trackOf(folder, ladder, ticks);
    const lead = rung.kind === 'audio' ? sound?.leads[index] : undefined;
    const audioStarts = lead === undefined ? undefined : joinedStarts(borders, rung, conditioned, ladder, lead);
    return rendition(rung, conditioned, ladder, audioStarts === undefined ? track : { audioStarts, ...track });
  });
  const grid = textGrid({ renditions });
  const texts = ladder.rungs.filter(({ kind }) => kind === 'text').map((rung) => filler(rung, grid, url));
  const part = { start: flicks(0), duration, zero, cutPoints };
  return { id, url, duration, parts: [part], renditions: [...renditions, ...texts], warnings: [] };
}

/** A text rendition without cues for an ad or slate, with a segment for each video segment. */
const filler = (rung: Rung, grid: Rendition, url: string): Rendition => fillerText(rung, grid, `${url}/${rung.id}/`);

/** Borders in the rendition's timescale: exact for video, at the nearest audio frame for audio, rounded to 90 kHz for TS. */
function rungBorders(
  borders: Borders,
  rung: Rung,
  { timescale, codecs }: ConditionedRung,
  ladder: Ladder,
): Float64Array {
  const isTs = ladder.container === 'ts';
  const { timescale: videoScale, frame } = videoTicks(ladder.frameRate, isTs ? undefined : timescale);
  const sampleRate = isTs ? (rung.sampleRate ?? 48_000) : timescale;
  const isAudio = rung.kind === 'audio';
  const samples = audioFrameSamples(codecs);
  return Float64Array.from(borders, (border) => {
    const ticks = isAudio ? audioBorder(border, ladder.frameRate, sampleRate, samples) * samples : border * frame;
    return isTs ? tsTime(ticks, isAudio ? sampleRate : videoScale) : ticks;
  });
}

/** Where the joined audio of each segment starts; in the end, the borders. */
function joinedStarts(
  borders: Borders,
  rung: Rung,
  { timescale, codecs }: ConditionedRung,
  { container, frameRate }: Ladder,
  lead: number,
): Float64Array {
  const sampleRate = container === 'ts' ? (rung.sampleRate ?? 48_000) : timescale;
  const frameSamples = audioFrameSamples(codecs);
  const { at, shift, silent } = joinedAudio({ lead }, borders[0], frameRate, { sampleRate, frameSamples });
  return Float64Array.from(borders, (border, index) => {
    const ticks = ((index === 0 ? silent : undefined) ?? at(border)) * frameSamples + shift;
    return container === 'ts' ? tsTime(ticks, sampleRate) : ticks;
  });
}

/** The 90 kHz MPEG-TS time, without wraparound, of a media time of the stored form (ISO/IEC 13818-1 2.4.3.7). */
export const tsTime = (ticks: number, timescale: number): number =>
  TS_BASE * TS_CLOCK + Math.round((ticks * TS_CLOCK) / timescale);

const trackOf = (folder: string, ladder: Ladder, borders: Float64Array): Track => ({
  borders,
  urls: { kind: 'number', prefix: folder, suffix: ladder.container === 'ts' ? '.ts' : '.m4s', first: 0, width: 1 },
  ...(ladder.container === 'fmp4' ? { init: { url: `${folder}init.mp4` } } : {}),
});

function rendition(rung: Rung, conditioned: ConditionedRung, ladder: Ladder, track: Track): Rendition {
  const { id, kind, width, height, sampleRate, channels, language, name, isDefault } = rung;
  const { container } = ladder;
  const frameRate = kind === 'audio' ? undefined : ladder.frameRate;
  const optional = { width, height, frameRate, sampleRate, channels, language, name, isDefault };
  return { id, kind, container, ...conditioned, ...withoutUndefined(optional), tracks: [track] };
}
