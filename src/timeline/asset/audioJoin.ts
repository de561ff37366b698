// SPDX-License-Identifier: Apache-2.0
// How the audio of an ad or of slate joins what plays before and after it. Browsers play audio frames one after the other: a hole
// of a few milliseconds at a border puts the sound ahead of the picture until the next seek, and holes add up. Content's audio may
// end up to a frame before a border and begin up to a frame after it. So ours begins where the audio before it surely reaches, and
// ends where the audio after it surely begins. What overlaps is cut by players. Video and the times in manifests are not affected.
import type { FrameRate } from '../../time/units.ts';
import type { RenditionKind } from './asset.ts';
import { hasAudio } from './asset.ts';
import { audioBorder } from './frameGrid.ts';

export type AudioJoin = {
  /** Quarters of an audio frame by which the audio begins before the clip: 0 to 4. From 3 on, its first frame is silent. */
  readonly lead: number;
  /** Before content: the index of the clip's last segment, and the quarters of a frame by which it at least ends after the clip. */
  readonly end?: { readonly last: number; readonly trail: number };
};

/** The joins of a clip: the lead in each rung of the ladder and, before content, the trail. */
export type Sound = { readonly leads: readonly number[]; readonly trails?: readonly number[] };

export const soundText = ({ leads, trails = [] }: Sound): string => `${leads.join('')}-${trails.join('')}`;

/** Next to content whose audio may end a frame early or begin a frame late. */
export const WHOLE_FRAME = 4;
/** From here on, a silent frame keeps the sound within half a frame of the picture. */
const SILENT_LEAD = 3;

/** The rate and the frame length of a rung's audio, in samples. */
export type AudioGrid = { readonly sampleRate: number; readonly frameSamples: number };

/** Where the first frame of the source's audio starts, in audio frames after the start of the clip: −0.5 to 0.25. */
const programStart = (lead: number): number => (lead >= SILENT_LEAD ? 1 : 0) - lead / 4;

/**
 * The lead of the clip after one that has this lead and lasts this long.
 * @param samples the duration of that clip, in samples
 */
export function leadAfter(lead: number, samples: number, { frameSamples }: AudioGrid): number {
  const rest = samples / frameSamples - programStart(lead);
  return leadOver(rest - Math.round(rest));
}

/** @param hole audio frames between the end of the audio before a clip and the start of the clip; negative if they overlap */
export const leadOver = (hole: number): number => Math.min(4, Math.max(0, Math.ceil(hole * 4 - 0.01)));

/** The audio frames of a clip, numbered as those of media without a join, all of which are moved by `shift` samples. */
/** @param zero the video frame with which the clip starts */
export function joinedAudio({ lead }: AudioJoin, zero: number, rate: FrameRate, grid: AudioGrid) {
  const { sampleRate, frameSamples } = grid;
  const samplesAt = (frame: number): number => (frame * rate.d * sampleRate) / rate.n;
  const first = audioBorder(zero, rate, sampleRate, frameSamples);
  const program = samplesAt(zero) + programStart(lead) * frameSamples;
  const framesTo = (frame: number): number => (samplesAt(frame) - program) / frameSamples;
  return {
    shift: Math.round(program - first * frameSamples),
    /** The number of a silent frame before the first one, if there is one. */
    silent: lead >= SILENT_LEAD ? first - 1 : undefined,
    /** The number of the first frame at a video frame. */
    at: (frame: number): number => (frame === zero ? first : first + Math.round(framesTo(frame))),
    /** The end of the clip's last segment, with a trail of so many quarters. */
    // A hundredth of a frame is less than what players notice.
    endAt: (frame: number, trail: number): number => first + Math.ceil(framesTo(frame) + trail / 4 - 0.01),
  };
}

/**
 * The join in the name of a rung's folder: `-3`, or `-4-14-4`; empty for rungs without audio.
 * @param last the index of the last segment
 */
export function joinText(sound: Sound | undefined, rung: number, kind: RenditionKind, last: number): string {
  if (sound === undefined || !hasAudio(kind)) return '';
  const trail = sound.trails?.[rung];
  return `-${sound.leads[rung]}${trail === undefined ? '' : `-${last}-${trail}`}`;
}

/** The rung and the join of a folder; undefined if it cannot be one. */
export function readJoined(folder: string): { readonly rung: string; readonly join?: AudioJoin } | undefined {
  const [, rung, lead, last, trail] = /^([^-]+)(?:-([0-4])(?:-(0|[1-9]\d{0,6})-([0-4]))?)?$/.exec(folder) ?? [];
  if (rung === undefined) return undefined;
  if (lead === undefined) return { rung };
  const end = last === undefined ? {} : { end: { last: Number(last), trail: Number(trail) } };
  return { rung, join: { lead: Number(lead), ...end } };
}
