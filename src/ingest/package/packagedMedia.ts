// SPDX-License-Identifier: Apache-2.0
// The contents of a media folder, as its `meta.json` describes them. Sample counts and byte sizes suffice to serve every
// segment except the last without reading the samples. This folder stores and cuts encoded media; how they are encoded is
// left to `condition`, and paths and requests to adapters/media and src/http.
//
// Each encode is one file: its initialization section, then its segments, one CMAF fragment each. A rung plays one file, or
// a video and an audio file together. A creative that is used as is (`media.asset`) has no files: no tracks and no rungs.
import { playableFrames, playedBorders, slateBase, tsTime } from '../../ads/creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../../ads/creative/creative.ts';
import { defined } from '../../invariant.ts';
import { joinBytes, readBoxes } from '../../mp4/boxes.ts';
import { readFragment } from '../../mp4/fragments.ts';
import { writeFragment } from '../../mp4/writeFragment.ts';
import { muxSegment, type TsLayout, type TsStream, type TsUnit } from '../../mpegts/mux.ts';
import { aacUnit, type NalCodec, parameterSets, videoUnit } from '../../mpegts/muxUnits.ts';
import { numberAt } from '../../time/row.ts';
import type { FrameRate } from '../../time/units.ts';
import type { TransportLayout } from '../../timeline/asset/asset.ts';
import { type AudioJoin, joinedAudio } from '../../timeline/asset/audioJoin.ts';
import { audioBorder, framesPerSecond, maxFirstSlateFrames, minSlateFrames } from '../../timeline/asset/frameGrid.ts';

export type PackagedTrack = {
  readonly file: string;
  readonly kind: 'video' | 'audio';
  readonly codecs: string;
  readonly timescale: number;
  /** Ticks per sample. All samples have the same duration. */
  readonly unit: number;
  /** The decoder configuration (avcC, hvcC, AudioSpecificConfig) in base64. */
  readonly config: string;
  readonly initSize: number;
  /** The number of the first stored sample on the media's own timeline: its decode time is `first · unit`. */
  readonly first: number;
  /** The number of samples in each stored segment, and its bytes. */
  readonly counts: readonly number[];
  readonly sizes: readonly number[];
};

export type PackagedRung = {
  readonly id: string;
  readonly video?: number;
  readonly audio?: number;
  /** For MPEG-TS: the PIDs and ids of the content. Absent if they are unknown. */
  readonly transport?: TransportLayout;
};

export type PackagedMedia = {
  readonly kind: 'creative' | 'slate';
  readonly container: 'fmp4' | 'ts';
  readonly frameRate: FrameRate;
  readonly media: ConditionedMedia;
  readonly tracks: readonly PackagedTrack[];
  /** In the order of the ladder. The numbers are indexes in `tracks`. */
  readonly rungs: readonly PackagedRung[];
};

export const tracksOf = ({ tracks }: Pick<PackagedMedia, 'tracks'>, { video, audio }: PackagedRung): PackagedTrack[] =>
  [video, audio].flatMap((place) => (place === undefined ? [] : (tracks[place] ?? [])));

/** The stored segments `from` to `to` (exclusive) that contain samples `start` to `start + count`, and their byte range. */
export function storedSegments(track: PackagedTrack, start: number, count: number) {
  let [from, skipped, offset] = [0, 0, track.initSize];
  while (from < track.counts.length && skipped + numberAt(track.counts, from) <= start) {
    skipped += numberAt(track.counts, from);
    offset += numberAt(track.sizes, from);
    from += 1;
  }
  let [to, held, length] = [from, skipped, 0];
  while (to < track.counts.length && held < start + count) {
    held += numberAt(track.counts, to);
    length += numberAt(track.sizes, to);
    to += 1;
  }
  return { from, to, skip: start - skipped, offset, length, isWhole: start === skipped && held === start + count };
}

// Which stored samples a segment plays, and at what time: for creatives, which may be shortened or extended by their last
// frame, and for slate, which begins with a segment of any length and then loops.

export type SampleRange = {
  readonly track: PackagedTrack;
  /** The first stored sample, counted from 0, and how many samples play. */
  readonly start: number;
  readonly count: number;
  /** The decode time of the first sample that plays, in ticks of the track. */
  readonly time: number;
  /** A stored sample that plays before the others, and how often the last one is repeated (timeline/asset/audioJoin.ts). */
  readonly before?: number;
  readonly repeated?: number;
};

/** Eleven days of slate. Larger indexes would exceed the integers in which audio borders are computed. */
const LAST_INDEX = 1_000_000;

/**
 * The samples of segment `index` of a rung.
 * @param frames the length of the creative as it plays, or of the first segment of slate
 * @param join of the rung's audio, for media that have a `startFrame`
 * @returns a range for each track of the rung, or undefined if there is no such segment
 */
export function packagedRanges(
  packaged: PackagedMedia,
  rung: PackagedRung,
  frames: number,
  index: number,
  join?: AudioJoin,
): SampleRange[] | undefined {
  const played = playedFrames(packaged, frames, index);
  if (played === undefined) return undefined;
  return tracksOf(packaged, rung).map((track) => {
    if (track.kind === 'audio' && join !== undefined) return joinedRange(packaged, track, played, join, index);
    const [from, to, zero, storedZero] = [played.from, played.to, played.zero, played.storedZero].map((frame) =>
      sampleAt(packaged, track, frame),
    ) as [number, number, number, number];
    const start = from - zero + storedZero - track.first;
    return { track, start, count: to - from, time: from * track.unit };
  });
}

function joinedRange(media: PackagedMedia, track: PackagedTrack, played: PlayedFrames, join: AudioJoin, index: number) {
  const { timescale: sampleRate, unit: frameSamples } = track;
  const joined = joinedAudio(join, played.start, media.frameRate, { sampleRate, frameSamples });
  const from = joined.at(played.from);
  const count = (join.end?.last === index ? joined.endAt(played.to, join.end.trail) : joined.at(played.to)) - from;
  const start = from - joined.at(played.zero) + sampleAt(media, track, played.storedZero) - track.first;
  const stored = track.counts.reduce((sum, samples) => sum + samples, 0);
  const repeated = Math.max(0, start + count - stored);
  const silent = index === 0 ? joined.silent : undefined;
  return {
    track,
    start,
    count: count - repeated,
    time: (silent ?? from) * frameSamples + joined.shift,
    ...(repeated > 0 ? { repeated } : {}),
    // Creatives end with silence, and the first frame of an AAC encoder is silent.
    ...(silent === undefined ? {} : { before: media.kind === 'slate' ? 0 : stored - 1 }),
  };
}

/** Frames `from` to `to` on the played timeline. Frame `zero` there is frame `storedZero` on the stored timeline. */
type PlayedFrames = {
  /** The first frame of the clip. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly zero: number;
  readonly storedZero: number;
};

/** The frames of segment `index` when media play at a length of `frames`. @returns undefined if there is no such segment */
export function playedFrames(packaged: PackagedMedia, frames: number, index: number): PlayedFrames | undefined {
  if (!Number.isInteger(frames) || !Number.isInteger(index) || index < 0 || index > LAST_INDEX) return undefined;
  return packaged.kind === 'slate' ? slateFrames(packaged, frames, index) : creativeFrames(packaged, frames, index);
}

function creativeFrames({ media, frameRate }: PackagedMedia, frames: number, index: number): PlayedFrames | undefined {
  const { min, max } = playableFrames(media.frames, frameRate);
  if (frames < min || frames > max) return undefined;
  const borders = playedBorders(media.frames, frames, frameRate);
  if (index + 1 >= borders.length) return undefined;
  const { startFrame: start = 0 } = media;
  const [from, to] = [start + numberAt(borders, index), start + numberAt(borders, index + 1)];
  return { start, from, to, zero: start, storedZero: start };
}

function slateFrames({ frameRate, tracks }: PackagedMedia, first: number, index: number): PlayedFrames | undefined {
  const longest = maxFirstSlateFrames(frameRate);
  if (first < minSlateFrames(frameRate) || first > longest) return undefined;
  const base = slateBase(frameRate);
  const start = base - first;
  if (index === 0) return { start, from: start, to: base, zero: start, storedZero: base - longest };
  const second = framesPerSecond(frameRate);
  const seconds = defined(tracks[0], 'slate has at least one track').counts.length - 1;
  const loop = Math.floor((index - 1) / seconds);
  const from = base + (index - 1) * second;
  return { start, from, to: from + second, zero: base + loop * seconds * second, storedZero: base };
}

function sampleAt({ frameRate }: PackagedMedia, track: PackagedTrack, frame: number): number {
  return track.kind === 'video' ? frame : audioBorder(frame, frameRate, track.timescale, track.unit);
}

export type PlayedSamples = {
  readonly track: PackagedTrack;
  /** The decode time of the first one, in ticks of the track. */
  readonly time: number;
  readonly sizes: readonly number[];
  readonly data: Uint8Array;
};

/** @returns samples `skip` to `skip + count` of the stored segments in `bytes` */
export function takeSamples(bytes: Uint8Array, skip: number, count: number): { sizes: number[]; data: Uint8Array } {
  const sizes: number[] = [];
  const pieces: Uint8Array[] = [];
  for (const moof of readBoxes(bytes).filter((box) => box.type === 'moof')) {
    const [track] = readFragment(bytes.subarray(moof.start));
    let at = moof.start + (track?.dataOffset ?? 0);
    for (const size of track?.sizes ?? []) {
      sizes.push(size);
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
  }
  if (skip < 0 || skip + count > sizes.length)
    throw new Error(`samples ${skip} to ${skip + count} must be stored; got ${sizes.length} samples`);
  return { sizes: sizes.slice(skip, skip + count), data: joinBytes(pieces.slice(skip, skip + count)) };
}

/** A segment in the container in which it is sent. @param layout for MPEG-TS */
export function packageSegment(
  container: 'fmp4' | 'ts',
  index: number,
  played: readonly PlayedSamples[],
  layout?: TsLayout,
): Uint8Array {
  if (container === 'ts') return muxSegment(index, played.map(streamOf), layout);
  const runs = played.map(({ track, time: decodeTime, sizes, data }, position) => {
    const { unit: sampleDuration, kind } = track;
    return { trackId: position + 1, decodeTime, sampleDuration, kind, sizes, data };
  });
  return writeFragment(index + 1, runs);
}

/** By sample entry: ISO/IEC 13818-1 table 2-34, and ATSC A/52 annex A for AC-3 and E-AC-3. */
const STREAM_TYPES: Record<string, number> = {
  avc1: 0x1b,
  hvc1: 0x24,
  hev1: 0x24,
  mp4a: 0x0f,
  'ac-3': 0x81,
  'ec-3': 0x87,
};

function streamOf({ track, time: start, sizes, data }: PlayedSamples): TsStream {
  const config = Uint8Array.from(atob(track.config), (character) => character.charCodeAt(0));
  const format = track.codecs.slice(0, 4);
  const codec: NalCodec = format === 'avc1' ? 'h264' : 'h265';
  const sets = track.kind === 'video' ? parameterSets(codec, config) : [];
  let at = 0;
  const units = sizes.map((size, index): TsUnit => {
    const sample = data.subarray(at, at + size);
    at += size;
    const time = tsTime(start + index * track.unit, track.timescale);
    if (track.kind === 'video') return videoUnit(codec, sets, sample, time, index === 0);
    return format === 'mp4a' ? aacUnit(config, sample, time) : { time, bytes: sample, isRandomAccess: true };
  });
  return {
    kind: track.kind,
    streamType: defined(STREAM_TYPES[format], 'encodes have a codec that MPEG-TS can contain'),
    units,
  };
}
