// SPDX-License-Identifier: Apache-2.0
// The codecs of the elementary streams of a transport stream, by stream_type (ISO/IEC 13818-1 table 2-34; encrypted ones as
// registered by Apple), descriptors (ETSI EN 300 468) and registration (format_identifier, §2.6.8).
import type { ElementaryStream } from '../../mpegts/readTransport.ts';
import type { Refusal } from './presentation.ts';

export type AudioCodec = 'aac' | 'dolby' | 'mpeg' | 'other';
export type VideoCodec = 'avc' | 'hevc' | 'other';

const videoCodecs = new Map<number, VideoCodec>([
  [0x1b, 'avc'],
  [0xdb, 'avc'],
  [0x24, 'hevc'],
  [0x01, 'other'],
  [0x02, 'other'],
]);
const audioCodecs = new Map<number, AudioCodec>([
  [0x0f, 'aac'],
  [0xcf, 'aac'],
  [0x81, 'dolby'],
  [0x87, 'dolby'],
  [0xc1, 'dolby'],
  [0xc2, 'dolby'],
  [0x03, 'mpeg'],
  [0x04, 'mpeg'],
  [0x11, 'other'],
]);
const PRIVATE = 0x06;
/** Descriptors of private streams that contain AC-3 and E-AC-3 (ETSI EN 300 468 annex D). */
const DVB_DOLBY = [0x6a, 0x7a];

export const videoCodecOf = ({ type }: ElementaryStream): VideoCodec | undefined => videoCodecs.get(type);

export const audioCodecOf = ({ type, descriptors }: ElementaryStream): AudioCodec | undefined =>
  audioCodecs.get(type) ??
  (type === PRIVATE && descriptors.some((tag) => DVB_DOLBY.includes(tag)) ? 'dolby' : undefined);

/** An audio or video stream that Midroll cannot read, and its name in messages. */
export type UnreadStream = { readonly kind: 'audio' | 'video'; readonly name: string };

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
export function unreadStream(stream: ElementaryStream): UnreadStream | undefined {
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
