// SPDX-License-Identifier: Apache-2.0
// Opens tracks in MPEG-2 transport streams (ISO/IEC 13818-1). The clock is 90 kHz. A segment starts with its first picture,
// or with its first audio frame if it has no video.
import { joinBytes } from '../../mp4/boxes.ts';
import { readAudioFrames, readAvcParameters, readHevcParameters } from '../../mpegts/elementaryStreams.ts';
import { type ElementaryStream, type PesPacket, readTransport, type Transport } from '../../mpegts/readTransport.ts';
import { snapFrameRate } from '../../time/frameRate.ts';
import { MPEG_TIMESCALE, MPEG_WRAP, unwrapTime } from '../../time/mpegClock.ts';
import { firstNumber, numberAt } from '../../time/row.ts';
import type { FrameRate } from '../../time/units.ts';
import type { TransportLayout } from '../../timeline/asset/asset.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../source/presentation.ts';
import type { FrameLength, MediaFacts, TrackOpening, UnreadStream } from './openedTrack.ts';

/** @param init the program tables of EXT-X-MAP (RFC 8216 §3.2), which are read before each segment; empty without one */
export async function openTransport(reader: MediaReader, track: NominalTrack, init: Uint8Array): Promise<TrackOpening> {
  async function packetsOf(index: number, isWhole: boolean): Promise<Transport | Refusal> {
    let read = isWhole ? await reader.whole(track, index) : await reader.head(track, index);
    for (;;) {
      if ('refused' in read) return read;
      const transport = readTransport(joinBytes([init, read.bytes]));
      const isEnough = transport !== undefined && mainPackets(transport).some(({ pts }) => pts !== undefined);
      if (isEnough) return transport;
      if (read.isWhole) return noPacket(index, transport);
      read = await reader.whole(track, index);
    }
  }

  const first = await packetsOf(0, true);
  if ('refused' in first) return first;
  const facts = factsOf(first);
  const frame = frameOf(first, facts);
  const firstSpan = spanIn(first, facts, frame); // the closures keep this instead of the segment's bytes
  return {
    facts,
    timescale: MPEG_TIMESCALE,
    wrap: MPEG_WRAP,
    frame,
    async startOf(index) {
      if (index === 0) return firstSpan.start;
      const transport = await packetsOf(index, false);
      return 'refused' in transport ? transport : firstNumber(timesOf(transport));
    },
    async spanOf(index) {
      if (index === 0) return firstSpan;
      const transport = await packetsOf(index, true);
      return 'refused' in transport ? transport : spanIn(transport, facts, frame);
    },
  };
}

const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

const packetsOfStream = ({ packets }: Transport, stream: ElementaryStream | undefined): PesPacket[] =>
  stream === undefined ? [] : packets.filter(({ pid }) => pid === stream.pid);

const unreadIn = (transport: Transport): UnreadStream[] =>
  sentStreams(transport).flatMap((stream) => unreadStream(stream) ?? []);

function noPacket(index: number, transport: Transport | undefined): Refusal {
  const refused = `segment ${index} contains no readable video or audio with a time stamp (PTS)`;
  const unread = transport === undefined ? [] : unreadIn(transport);
  return unread.length === 0 ? { refused } : refuseUnread(`${refused}, only`, unread);
}

/** Leaves out streams that the program map lists but that have no packets. */
const sentStreams = ({ streams, packets }: Transport): ElementaryStream[] =>
  streams.filter((stream) => packets.some(({ pid }) => pid === stream.pid));

function liveStreams(transport: Transport) {
  const sent = sentStreams(transport);
  const video = sent.find((stream) => videoCodecOf(stream) !== undefined);
  return { video, audio: sent.find((stream) => audioCodecOf(stream) !== undefined) };
}

const mainPackets = (transport: Transport): PesPacket[] => {
  const { video, audio } = liveStreams(transport);
  return packetsOfStream(transport, video ?? audio);
};

/** Presentation times of the main stream, in the order of the packets, unwrapped within the segment. */
function timesOf(transport: Transport): number[] {
  const times = mainPackets(transport).flatMap(({ pts }) => (pts === undefined ? [] : [pts]));
  return times.map((time) => unwrapTime(time, firstNumber(times)));
}

function factsOf(transport: Transport): MediaFacts {
  const { video, audio } = liveStreams(transport);
  const start = (stream: ElementaryStream): Uint8Array => {
    const packet = packetsOfStream(transport, stream).find(({ pts }) => pts !== undefined);
    return joinBytes(packet?.payload ?? []);
  };
  const readParameters =
    video && { avc: readAvcParameters, hevc: readHevcParameters, other: undefined }[videoCodecOf(video) ?? 'other'];
  const parameters = video && readParameters?.(start(video));
  const audioCodec = audio && audioCodecOf(audio);
  const frames =
    audio && (audioCodec === 'aac' || audioCodec === 'dolby') ? readAudioFrames(start(audio), audioCodec) : undefined;
  const times = video === undefined ? [] : [...new Set(timesOf(transport))];
  return {
    kind: video === undefined ? 'audio' : audio === undefined ? 'video' : 'muxed',
    container: 'ts',
    videoCodec: parameters?.codec,
    width: parameters?.width,
    height: parameters?.height,
    frameRate: rateOf(times),
    audioCodec: audioCodec === 'other' ? 'mp4a.40.2' : audioCodec === 'mpeg' ? 'mp4a.40.34' : frames?.codec,
    sampleRate: frames?.sampleRate,
    channels: frames?.channels,
    language: audio?.language || undefined,
    unread: unreadIn(transport),
    transport: layoutOf(transport),
  };
}

function layoutOf(transport: Transport): TransportLayout {
  const { transportId, program, mapPid, streams, packets } = transport;
  const { video, audio } = liveStreams(transport);
  const placed = streams.flatMap((stream) => {
    const kind = stream === video ? 'video' : stream === audio ? 'audio' : undefined;
    const packet = packets.find(({ pid }) => pid === stream.pid);
    if (kind === undefined || packet === undefined) return [];
    return [{ kind, pid: stream.pid, streamId: packet.streamId } as const];
  });
  return { transportId, program, mapPid, streams: placed };
}

/** The share of pictures that must follow each other at the same interval for the stream to have a frame rate. */
const USUAL_SHARE = 0.9;

/** The rate of distinct presentation times. @returns undefined if they are irregular: then their mean is no frame rate */
function rateOf(times: readonly number[]): FrameRate | undefined {
  if (times.length < 2) return undefined;
  const inOrder = [...times].sort((a, b) => a - b);
  const lengths = inOrder.slice(1).map((time, i) => time - numberAt(inOrder, i));
  const sorted = [...lengths].sort((a, b) => a - b);
  const median = numberAt(sorted, lengths.length >> 1);
  // Time stamps are whole ticks; frames of NTSC rates are not.
  const regular = lengths.filter((length) => Math.abs(length - median) <= 1);
  const isRegular = regular.length >= USUAL_SHARE * lengths.length;
  const counted = isRegular ? regular : lengths;
  const total = counted.reduce((sum, length) => sum + length, 0);
  const rate = snapFrameRate((MPEG_TIMESCALE * counted.length) / total);
  return rate !== undefined && (isRegular || rate.d === 1 || rate.d === 1001) ? rate : undefined;
}

function frameOf(transport: Transport, facts: MediaFacts): FrameLength | undefined {
  if (facts.kind !== 'audio') {
    return facts.frameRate && { ticks: MPEG_TIMESCALE * facts.frameRate.d, frames: facts.frameRate.n };
  }
  const audio = audioFramesIn(transport);
  return audio && { ticks: audio.frame * MPEG_TIMESCALE, frames: audio.sampleRate };
}

function audioFramesIn(transport: Transport) {
  const { audio } = liveStreams(transport);
  const audioCodec = audio && audioCodecOf(audio);
  if (audioCodec !== 'aac' && audioCodec !== 'dolby') return undefined;
  return readAudioFrames(joinBytes(packetsOfStream(transport, audio).flatMap(({ payload }) => payload)), audioCodec);
}

/** The start of the main stream of a whole segment, and its duration in ticks. */
function spanIn(transport: Transport, facts: MediaFacts, frame: FrameLength | undefined) {
  const times = timesOf(transport);
  const start = firstNumber(times);
  const audio = facts.kind === 'audio' ? audioFramesIn(transport) : undefined;
  if (audio !== undefined) return { start, duration: Math.round((audio.samples * MPEG_TIMESCALE) / audio.sampleRate) };
  const last = greatest(times);
  if (frame !== undefined) return { start, duration: last - start + Math.round(frame.ticks / frame.frames) };
  const before = greatest(times.filter((time) => time < last));
  return Number.isFinite(before) ? { start, duration: 2 * last - before - start } : { start };
}

// The codecs of the elementary streams of a transport stream, by stream_type (ISO/IEC 13818-1 table 2-34; encrypted ones as
// registered by Apple), descriptors (ETSI EN 300 468) and registration (format_identifier, §2.6.8).

const byType = <Codec extends string>(types: Readonly<Record<Codec, readonly number[]>>): ReadonlyMap<number, Codec> =>
  new Map((Object.keys(types) as Codec[]).flatMap((codec) => types[codec].map((type) => [type, codec] as const)));

const videoCodecs = byType({ avc: [0x1b, 0xdb], hevc: [0x24], other: [0x01, 0x02] });
const audioCodecs = byType({ aac: [0x0f, 0xcf], dolby: [0x81, 0x87, 0xc1, 0xc2], mpeg: [0x03, 0x04], other: [0x11] });
const PRIVATE = 0x06;
/** Descriptors of private streams that contain AC-3 and E-AC-3 (ETSI EN 300 468 annex D). */
const DVB_DOLBY = [0x6a, 0x7a];

const videoCodecOf = ({ type }: ElementaryStream) => videoCodecs.get(type);

const audioCodecOf = ({ type, descriptors }: ElementaryStream) =>
  audioCodecs.get(type) ??
  (type === PRIVATE && descriptors.some((tag) => DVB_DOLBY.includes(tag)) ? 'dolby' : undefined);

const unreadTypes = new Map<number, UnreadStream>([
  [0x10, { kind: 'video', name: 'MPEG-4 Visual' }],
  [0x1c, { kind: 'audio', name: 'raw MPEG-4 audio' }],
  [0x21, { kind: 'video', name: 'JPEG 2000' }],
  [0x2d, { kind: 'audio', name: 'MPEG-H audio' }],
  [0x2e, { kind: 'audio', name: 'MPEG-H audio' }],
  [0x33, { kind: 'video', name: 'VVC' }],
  [0x42, { kind: 'video', name: 'AVS' }],
  [0xd1, { kind: 'video', name: 'Dirac' }],
  [0xea, { kind: 'video', name: 'VC-1' }],
]);
/** By format_identifier, which defines the meaning of stream types from 0x80 on. */
const registered = new Map<string, UnreadStream>([
  ['Opus', { kind: 'audio', name: 'Opus' }],
  ['AC-3', { kind: 'audio', name: 'AC-3 in a private stream' }],
  ['EAC3', { kind: 'audio', name: 'E-AC-3 in a private stream' }],
  ['AC-4', { kind: 'audio', name: 'AC-4' }],
  ['BSSD', { kind: 'audio', name: 'SMPTE 302M' }],
  ['mlpa', { kind: 'audio', name: 'Dolby TrueHD' }],
  ['fLaC', { kind: 'audio', name: 'FLAC' }],
  ['DTS1', { kind: 'audio', name: 'DTS' }],
  ['DTS2', { kind: 'audio', name: 'DTS' }],
  ['DTS3', { kind: 'audio', name: 'DTS' }],
  ['AV01', { kind: 'video', name: 'AV1' }],
  ['VVC ', { kind: 'video', name: 'VVC' }],
  ['VC-1', { kind: 'video', name: 'VC-1' }],
  ['drac', { kind: 'video', name: 'Dirac' }],
]);
/** DTS_descriptor and AAC_descriptor of private streams (ETSI EN 300 468 annexes G and H). */
const unreadDescriptors = new Map<number, UnreadStream>([
  [0x7b, { kind: 'audio', name: 'DTS' }],
  [0x7c, { kind: 'audio', name: 'AAC in a private stream' }],
]);

/** @returns undefined for streams that Midroll can read and for those without audio or video: subtitles, teletext, data */
function unreadStream(stream: ElementaryStream): UnreadStream | undefined {
  const { type, descriptors, registration } = stream;
  if (videoCodecOf(stream) !== undefined || audioCodecOf(stream) !== undefined) return undefined;
  const isPrivate = type === PRIVATE;
  const byRegistration =
    registration !== undefined && (isPrivate || type >= 0x80) ? registered.get(registration) : undefined;
  const byDescriptor = isPrivate ? descriptors.map((tag) => unreadDescriptors.get(tag)).find(Boolean) : undefined;
  const found = byRegistration ?? byDescriptor ?? unreadTypes.get(type);
  return found && { ...found, name: `${found.name} (stream_type 0x${type.toString(16).padStart(2, '0')})` };
}

/** @param subject the beginning of the sentence, for example `its only audio stream is` */
export const refuseUnread = (subject: string, streams: readonly UnreadStream[]): Refusal => ({
  code: 'UNREAD_STREAM',
  refused: `${subject} ${streams.map(({ name }) => name).join(' and ')}; in MPEG-TS, video must be H.264 or H.265, and audio AAC, AC-3 or E-AC-3`,
});
