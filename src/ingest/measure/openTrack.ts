// SPDX-License-Identifier: Apache-2.0
// Opens a track: reads its initialization section and its first segment to find its codecs and its timescale. The manifest
// is not consulted.
import { memo } from '../../cache/memo.ts';
import { excerpt } from '../../hls/readLines.ts';
import { type FragmentTimes, readFragmentTimes } from '../../mp4/readFragmentTimes.ts';
import { type InitTrack, MAX_TRACKS, readInit, trackCount } from '../../mp4/readInit.ts';
import { TS_PACKET, TS_SYNC } from '../../mpegts/packet.ts';
import { snapFrameRate } from '../../time/frameRate.ts';
import { numberAt } from '../../time/row.ts';
import { explainEncryption } from '../source/decryptSegment.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal, RefusalCode } from '../source/presentation.ts';
import type { FrameLength, MediaFacts, TrackOpening } from './openedTrack.ts';
import { openTransport } from './openTransport.ts';

export type TrackOpener = (track: NominalTrack) => Promise<TrackOpening>;

/** Opens each track once, however many callers need it. The result is kept for the opener's life, which is one import. */
export function createTrackOpener(reader: MediaReader): TrackOpener {
  return memo(async (track: NominalTrack) => {
    const found = await openTrack(reader, track);
    return 'refused' in found ? explainEncryption(found, track.protection) : found;
  });
}

async function openTrack(reader: MediaReader, track: NominalTrack): Promise<TrackOpening> {
  const init = await reader.init(track);
  if (init !== undefined && 'refused' in init) return init;
  if (init !== undefined && !isTransport(init)) return openFragmented(reader, track, init);
  const head = await reader.head(track, 0);
  if ('refused' in head) return head;
  if (isTransport(head.bytes)) return openTransport(reader, track, init ?? new Uint8Array());
  if (!isBoxed(head.bytes)) {
    const { code, what } = unplayable(head.bytes);
    return { code, refused: `its first segment must be fragmented MP4 or MPEG-TS; got ${what}` };
  }
  const whole = head.isWhole ? head : await reader.whole(track, 0);
  return 'refused' in whole ? whole : openFragmented(reader, track, whole.bytes);
}

const letters = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end));

const isTransport = (bytes: Uint8Array): boolean =>
  bytes[0] === TS_SYNC && (bytes.length <= TS_PACKET || bytes[TS_PACKET] === TS_SYNC);

const isBoxed = (bytes: Uint8Array): boolean =>
  ['ftyp', 'styp', 'moov', 'moof', 'sidx', 'emsg', 'prft', 'free'].includes(letters(bytes, 4, 8));

/** Names what was found instead of media, so that the operator can fix it. */
function unplayable(bytes: Uint8Array): { code: RefusalCode; what: string } {
  const start = letters(bytes, 0, 12);
  if (start.startsWith('ID3') || (bytes[0] === 0xff && (numberAt(bytes, 1) & 0xe0) === 0xe0)) {
    return { code: 'PACKED_AUDIO', what: 'packed audio (bare AAC or MP3, RFC 8216 §3.4)' };
  }
  if (start.includes('WEBVTT')) return { code: 'NO_MEDIA', what: 'WebVTT' };
  if (/^\s*</.test(start)) return { code: 'WEB_PAGE', what: `a web page or XML (${excerpt(start)})` };
  if (start.startsWith('#EXTM3U')) return { code: 'PLAYLIST', what: 'another playlist' };
  return { code: 'NO_MEDIA', what: bytes.length === 0 ? 'an empty file' : `unknown data (${excerpt(start)})` };
}

// Opens tracks in movie fragments (ISO/IEC 14496-12 §8.8): CMAF and other fragmented MP4.

/** The share of samples that must last equally long for that to be the frame duration. The first and last often differ. */
const USUAL_SHARE = 0.9;

/** @param init the initialization section, or a first segment that contains one */
async function openFragmented(reader: MediaReader, track: NominalTrack, init: Uint8Array): Promise<TrackOpening> {
  const tracks = readInit(init);
  if (tracks === undefined)
    return { code: 'NO_MOOV', refused: 'its initialization section must contain a complete moov box' };
  const count = trackCount(init);
  if (count > MAX_TRACKS)
    return {
      refused: `its initialization section has ${count} tracks; at most ${MAX_TRACKS} are supported. Write one file for each rendition`,
    };
  const video = tracks.find(({ handler }) => handler === 'vide');
  const audio = tracks.find(({ handler }) => handler === 'soun');
  const main = video ?? audio ?? tracks.find(({ handler }) => handler === 'text' || handler === 'subt');
  if (main === undefined) return { refused: 'its initialization section must contain a video, audio or text track' };
  const mainId = main.id;
  const defaults = new Map(tracks.map(({ id, defaultDuration }) => [id, defaultDuration]));

  async function fragmentsOf(index: number, isWhole: boolean): Promise<FragmentTimes[] | Refusal> {
    let read = isWhole ? await reader.whole(track, index) : await reader.head(track, index);
    for (;;) {
      if ('refused' in read) return read;
      const { fragments, bytesNeeded } = readFragmentTimes(read.bytes, defaults);
      const own = fragments.filter(({ trackId }) => trackId === mainId);
      if (own.length > 0) return own;
      if (read.isWhole) return { code: 'NO_SAMPLE', refused: `segment ${index} contains no media with a time (tfdt)` };
      const isNear = bytesNeeded !== undefined && bytesNeeded > read.bytes.length;
      read = isNear ? await reader.head(track, index, bytesNeeded) : await reader.whole(track, index);
    }
  }

  const first = await fragmentsOf(0, false);
  if ('refused' in first) return first;
  const frame = frameOf(first, main.timescale, video !== undefined);
  const earliest = (fragments: readonly FragmentTimes[]): number =>
    fragments.reduce((least, fragment) => Math.min(least, fragment.earliest), Number.POSITIVE_INFINITY) +
    main.editShift;
  const firstStart = earliest(first);
  const { timescale, editShift: shift, firstEditShift: inBrowsers } = main;
  return {
    facts: factsOf(video, audio, main, frame),
    timescale,
    frame,
    edits: shift === 0 && inBrowsers === 0 ? undefined : { shift, inBrowsers },
    async startOf(index) {
      if (index === 0) return firstStart;
      const fragments = await fragmentsOf(index, false);
      return 'refused' in fragments ? fragments : earliest(fragments);
    },
    async spanOf(index) {
      const fragments = await fragmentsOf(index, true);
      if ('refused' in fragments) return fragments;
      const duration = fragments.reduce((sum, fragment) => sum + fragment.duration, 0);
      return duration > 0 ? { start: earliest(fragments), duration } : { start: earliest(fragments) };
    },
  };
}

/** The duration of nearly all samples. If there is none, for video: their mean, if it is that of a common frame rate. */
function frameOf(fragments: readonly FragmentTimes[], timescale: number, isVideo: boolean): FrameLength | undefined {
  const counts = new Map<number, number>();
  for (const { durations } of fragments) {
    for (const [duration, count] of durations) counts.set(duration, (counts.get(duration) ?? 0) + count);
  }
  const samples = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [usual, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
  if (usual > 0 && count >= USUAL_SHARE * samples) return { ticks: usual, frames: 1 };
  if (!isVideo) return undefined;
  const total = [...counts].reduce((sum, [duration, times]) => sum + duration * times, 0);
  const rate = snapFrameRate((timescale * samples) / total);
  return rate && (rate.d === 1 || rate.d === 1001) ? { ticks: timescale * rate.d, frames: rate.n } : undefined;
}

function factsOf(
  video: InitTrack | undefined,
  audio: InitTrack | undefined,
  main: InitTrack,
  frame: FrameLength | undefined,
): MediaFacts {
  return {
    kind: video === undefined ? (audio === undefined ? 'text' : 'audio') : audio === undefined ? 'video' : 'muxed',
    container: 'fmp4',
    videoCodec: video?.codec,
    audioCodec: audio?.codec,
    textCodec: main !== video && main !== audio ? main.codec : undefined,
    width: video?.width,
    height: video?.height,
    frameRate: video && frame && snapFrameRate((video.timescale * frame.frames) / frame.ticks),
    sampleRate: audio?.sampleRate || undefined,
    channels: audio?.channels || undefined,
    language: (audio ?? main).language || undefined,
    encryption: main.encryption,
  };
}
