// SPDX-License-Identifier: Apache-2.0
// Plans the encodes for a ladder from its rungs alone. Rungs that need the same encode share it. This folder decides what to
// encode, without effects; running the encoder is left to `encode`.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { audioFrameSamples, creativeStart, heldFrames, slateBase } from '../../../ads/creative/conditionedAsset.ts';
import { memo } from '../../../cache/memo.ts';
import { lastOf, type NonEmpty } from '../../../invariant.ts';
import type { FrameRate } from '../../../time/units.ts';
import {
  adBorders,
  audioBorder,
  framesPerAdSegment,
  framesPerSecond,
  maxFirstSlateFrames,
  videoTicks,
} from '../../../timeline/asset/frameGrid.ts';
import type { Ladder, Rung } from '../../../timeline/ladder/ladder.ts';
import type { PackagedRung } from '../../package/packagedMedia.ts';
import type { TrackGrid } from '../../package/packageTrack.ts';

export type VideoEncode = {
  readonly codec: 'h264' | 'h265';
  /** The sample entry: avc1, hvc1 or hev1. */
  readonly tag: string;
  readonly profile: 'baseline' | 'main' | 'high';
  /** H.264 only. The H.265 encoder chooses its level. */
  readonly level?: string;
  readonly width: number;
  readonly height: number;
  readonly kbps: number;
  readonly timescale: number;
};

export type AudioEncode = {
  readonly codec: 'aac' | 'ac3' | 'eac3';
  readonly sampleRate: number;
  readonly channels: 1 | 2 | 6;
  readonly kbps: number;
  readonly frameSamples: number;
};

export type EncodePlan = {
  readonly videos: readonly VideoEncode[];
  readonly audios: readonly AudioEncode[];
  /** The encodes that each rung plays, in the order of the ladder. */
  readonly rungs: readonly PackagedRung[];
};

type NoEncoder = { readonly refused: string; readonly codecs: string };

/** A little below 5 fps, for 5000/1001. Ads are fitted by whole frames, and lower rates are not tested. */
const MIN_FRAMES_PER_SECOND = 4.99;
const MUXED_AUDIO_KBPS = 128;
/** Bit rates that AC-3 allows (ETSI TS 102 366 table 4.13), by number of channels. */
const DOLBY_KBPS = { 1: 96, 2: 192, 6: 384 } as const;

export function planEncode(ladder: Ladder): EncodePlan | NoEncoder {
  const videos: VideoEncode[] = [];
  const audios: AudioEncode[] = [];
  const rungs: EncodePlan['rungs'][number][] = [];
  for (const rung of ladder.rungs.filter(({ kind }) => kind !== 'text')) {
    const [first = '', second] = rung.codecs.split(',').map((codec) => codec.trim());
    const audio = rung.kind === 'video' ? undefined : audioEncode(rung, rung.kind === 'muxed' ? second : first);
    const video = rung.kind === 'audio' ? undefined : videoEncode(rung, first, ladder.frameRate);
    if (video !== undefined && 'refused' in video) return video;
    if (audio !== undefined && 'refused' in audio) return audio;
    rungs.push({
      id: rung.id,
      ...(video ? { video: indexIn(videos, video) } : {}),
      ...(audio ? { audio: indexIn(audios, audio) } : {}),
      ...(rung.transport ? { transport: rung.transport } : {}),
    });
  }
  return { videos, audios, rungs };
}

/** The index of an equal encode. Appends it if there is none. */
function indexIn<Encode>(encodes: Encode[], encode: Encode): number {
  const text = JSON.stringify(encode);
  const index = encodes.findIndex((each) => JSON.stringify(each) === text);
  return index >= 0 ? index : encodes.push(encode) - 1;
}

function videoEncode(rung: Rung, codecs: string, rate: FrameRate): VideoEncode | NoEncoder {
  const [tag = ''] = codecs.split('.');
  const isH264 = tag === 'avc1' || tag === 'avc3';
  if (!isH264 && tag !== 'hvc1' && tag !== 'hev1')
    return {
      codecs,
      refused: `ads can be encoded only as H.264 or H.265 video; the channel's content is ${codecs || 'of unknown codec'}`,
    };
  const width = even(rung.width ?? 640);
  const height = even(rung.height ?? 360);
  const framesPerSecond = rate.n / rate.d;
  if (framesPerSecond < MIN_FRAMES_PER_SECOND)
    return {
      codecs,
      refused: `ads can be encoded from 5 frames per second on; the channel's content has ${Number(framesPerSecond.toFixed(2))}`,
    };
  const declared = Math.floor((rung.averageBandwidth || rung.bandwidth) / 1000);
  const audio = rung.kind === 'muxed' ? muxedAudioKbps(rung) : 0;
  const most = Math.min(12_000, Math.ceil((width * height * framesPerSecond * 0.2) / 1000));
  const kbps = Math.max(100, Math.min(declared - audio, most));
  const { timescale } = videoTicks(rate, rung.timescale);
  if (!isH264) return { codec: 'h265', tag, profile: 'main', width, height, kbps, timescale };
  const profile = ({ '42': 'baseline', '4d': 'main' } as const)[codecs.slice(5, 7).toLowerCase()] ?? 'high';
  const declaredLevel = Number.parseInt(codecs.slice(9, 11), 16);
  const level = h264Level({ width, height, framesPerSecond, kbps, declaredLevel });
  return { codec: 'h264', tag: 'avc1', profile, level, width, height, kbps, timescale };
}

/** 4:2:0 video has an even size. A ladder with an odd size loses a row or a column. */
const even = (size: number): number => Math.max(16, size - (size % 2));

function audioEncode(rung: Rung, codecs = 'mp4a.40.2'): AudioEncode | NoEncoder {
  const [, name] = /^(mp4a\.40\.|ac-3|ec-3)/.exec(codecs) ?? [];
  if (name === undefined)
    return {
      codecs,
      refused: `ads can be encoded only with AAC, AC-3 or E-AC-3 audio; the channel's content is ${codecs || 'of unknown codec'}`,
    };
  const codec = ({ 'ac-3': 'ac3', 'ec-3': 'eac3' } as const)[name] ?? 'aac';
  const channels = rung.channels === 1 || rung.channels === 6 ? rung.channels : 2;
  const sampleRate = rung.sampleRate ?? 48_000;
  const encode = { codec, sampleRate, channels, frameSamples: audioFrameSamples(codecs) } as const;
  if (codec !== 'aac') return { ...encode, kbps: DOLBY_KBPS[channels] };
  if (rung.kind === 'muxed') return { ...encode, kbps: muxedAudioKbps(rung) };
  const declared = Math.round((rung.averageBandwidth || rung.bandwidth) / 1000);
  return { ...encode, kbps: Math.max(32 * channels, Math.min(declared, 96 * channels)) };
}

/** A muxed rung of low bandwidth spends more of it on video. */
const muxedAudioKbps = (rung: Rung): number => (rung.bandwidth < 500_000 ? MUXED_AUDIO_KBPS / 2 : MUXED_AUDIO_KBPS);

/** ITU-T H.264 table A-1: level, macroblocks per second, macroblocks per frame, kbit/s of the Baseline and Main profile. */
const LEVELS: NonEmpty<readonly [number, number, number, number]> = [
  [10, 1485, 99, 64],
  [11, 3000, 396, 192],
  [12, 6000, 396, 384],
  [13, 11_880, 396, 768],
  [20, 11_880, 396, 2000],
  [21, 19_800, 792, 4000],
  [22, 20_250, 1620, 4000],
  [30, 40_500, 1620, 10_000],
  [31, 108_000, 3600, 14_000],
  [32, 216_000, 5120, 20_000],
  [40, 245_760, 8192, 20_000],
  [41, 245_760, 8192, 50_000],
  [42, 522_240, 8704, 50_000],
  [50, 589_824, 22_080, 135_000],
  [51, 983_040, 36_864, 240_000],
  [52, 2_073_600, 36_864, 240_000],
  [60, 4_177_920, 139_264, 240_000],
];

/** The level to encode at: the declared one, or a higher one if size, frame rate or bit rate need it. For example `3.1`. */
export function h264Level(video: {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly kbps: number;
  /** level_idc, for example 31. NaN if the codec string does not state it. */
  readonly declaredLevel: number;
}): string {
  const macroblocks = Math.ceil(video.width / 16) * Math.ceil(video.height / 16);
  const peak = video.kbps * 1.1;
  const fits = ([level, perSecond, perFrame, kbps]: (typeof LEVELS)[number]): boolean =>
    !(level < video.declaredLevel) &&
    macroblocks <= perFrame &&
    macroblocks * video.framesPerSecond <= perSecond &&
    peak <= kbps;
  const [level] = LEVELS.find(fits) ?? lastOf(LEVELS);
  return `${Math.floor(level / 10)}.${level % 10}`;
}

/** To be increased when encodes change, so that existing media are made again. */
const RECIPE = 3;

/** The most ids kept for each ladder. Keys may be URLs, of which there are many. */
const MAX_KNOWN_IDS = 1000;

/** To be increased when the picture of the built-in slate changes, so that existing channels get the new one. */
const CARD = 1;

/** Everything in a ladder that affects how media are made for it, as text. Languages do not. */
export const ladderKey = memo((ladder: Ladder): string => {
  const { container, frameRate } = ladder;
  return JSON.stringify([RECIPE, container, frameRate.n, frameRate.d, planEncode(ladder)]);
});

/** Each creative of a response is looked up several times for each viewer. */
const knownIds = memo((_: Ladder) => new LRUCache<string, string>({ max: MAX_KNOWN_IDS }));

/** The id of the media made of a creative or slate for a ladder: 32 hexadecimal digits that reveal nothing about them. */
export function mediaId(kind: 'creative' | 'slate', key: string, ladder: Ladder): string {
  const ids = knownIds(ladder);
  const name = `${kind} ${key}`;
  const known = ids.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify([kind, key, ladderKey(ladder)]);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
  ids.set(name, id);
  return id;
}

/** @param url of the channel's own slate; absent for the built-in one */
export const slateId = (url: string | undefined, ladder: Ladder): string =>
  mediaId('slate', url ?? `card ${CARD}`, ladder);

// The duration of conditioned media and their segment borders in frames, computed before anything is encoded.

export type TimeShape = {
  readonly kind: 'creative' | 'slate';
  readonly rate: FrameRate;
  /** Frames of the source that play. */
  readonly frames: number;
  /** Frames after them that repeat the last one. */
  readonly held: number;
  /** Segment borders in frames, on the media's own timeline. */
  readonly borders: readonly number[];
  /** Frames per segment, except the first and the last. */
  readonly step: number;
};

/** The last frame of a creative is repeated, so that it can play longer (ads/creative/conditionedAsset.ts). */
export function creativeShape(frames: number, rate: FrameRate): TimeShape {
  const held = heldFrames(rate);
  const start = creativeStart(rate);
  const borders = [...adBorders(frames, rate).slice(0, -1), frames + held].map((border) => start + border);
  return { kind: 'creative', rate, frames, held, borders, step: framesPerAdSegment(rate) };
}

/** Slate has its longest possible first segment, then `seconds` segments of one second, which are looped. */
export function slateLoopShape(seconds: number, rate: FrameRate): TimeShape {
  const [base, second, first] = [slateBase(rate), framesPerSecond(rate), maxFirstSlateFrames(rate)];
  const whole = Array.from({ length: seconds + 1 }, (_, index) => base + index * second);
  const frames = first + seconds * second;
  return { kind: 'slate', rate, frames, held: 0, borders: [base - first, ...whole], step: second };
}

export function videoGrid({ rate, borders }: TimeShape, { timescale }: VideoEncode): TrackGrid {
  return { kind: 'video', timescale, unit: videoTicks(rate, timescale).frame, borders };
}

/** Some loops of slate are one audio frame longer than others, so one more frame is stored. */
export function audioGrid(shape: TimeShape, { sampleRate, frameSamples }: AudioEncode): TrackGrid {
  const borders = shape.borders.map((border) => audioBorder(border, shape.rate, sampleRate, frameSamples));
  if (shape.kind === 'slate') borders.push((borders.pop() ?? 0) + 1);
  return { kind: 'audio', timescale: sampleRate, unit: frameSamples, borders };
}
