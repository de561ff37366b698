// SPDX-License-Identifier: Apache-2.0
// The codec string (RFC 6381 §3) and other facts of a sample entry (ISO/IEC 14496-12 §8.5.2, ISO/IEC 14496-15). Best effort:
// for an unknown entry, the codec is its four-character code.
import { createBitReader } from './bitReader.ts';
import { type Box, findBox, readBoxes, readCode, readUint8, readUint16, readUint32 } from './boxes.ts';

export type SampleEntry = {
  /** RFC 6381, for example `avc1.64001f`. For an encrypted entry, the codec of the original format. */
  readonly codec: string;
  /** The entry and its scheme, for example `encv (cbcs)`. Absent if the samples are clear. */
  readonly encryption?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
};

const VISUAL_HEADER = 78;
const AUDIO_HEADER = 28;
export const hexOf = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param entry a child of `stsd`, complete within `bytes` */
export function readSampleEntry(bytes: Uint8Array, entry: Box, handler: string): SampleEntry {
  if (handler === 'vide' && entry.body + VISUAL_HEADER <= entry.end) return readVisual(bytes, entry);
  if (handler === 'soun' && entry.body + AUDIO_HEADER <= entry.end) return readAudio(bytes, entry);
  return { codec: entry.type };
}

function readVisual(bytes: Uint8Array, entry: Box): SampleEntry {
  const children = readBoxes(bytes, entry.body + VISUAL_HEADER, entry.end);
  const format = originalFormat(bytes, entry, children);
  const size = { width: readUint16(bytes, entry.body + 24), height: readUint16(bytes, entry.body + 26) };
  return { codec: videoCodec(bytes, format, children), ...encryptionOf(bytes, entry, children), ...size };
}

function readAudio(bytes: Uint8Array, entry: Box): SampleEntry {
  // Versions 1 and 2 of the entry (QuickTime) are longer, and their `esds` may be inside `wave`.
  const version = readUint16(bytes, entry.body + 8);
  const header = AUDIO_HEADER + (version === 1 ? 16 : version === 2 ? 36 : 0);
  const outer = readBoxes(bytes, entry.body + header, entry.end);
  const children = outer.flatMap((box) =>
    box.type === 'wave' ? readBoxes(bytes, box.body, Math.min(box.end, entry.end)) : [box],
  );
  const format = originalFormat(bytes, entry, outer);
  const declared = { channels: readUint16(bytes, entry.body + 16), sampleRate: readUint16(bytes, entry.body + 24) };
  const exact = audioCodec(bytes, format, children);
  return {
    codec: exact.codec,
    ...encryptionOf(bytes, entry, outer),
    ...positive('channels', exact.channels ?? declared.channels),
    ...positive('sampleRate', exact.sampleRate ?? declared.sampleRate),
  };
}

const positive = (name: string, value: number): Record<string, number> => (value > 0 ? { [name]: value } : {});

/** The format inside `encv` or `enca` (ISO/IEC 14496-12 §8.12.3). */
function originalFormat(bytes: Uint8Array, entry: Box, children: readonly Box[]): string {
  if (entry.type !== 'encv' && entry.type !== 'enca') return entry.type;
  const sinf = children.find(({ type }) => type === 'sinf');
  const frma = sinf && findBox(bytes, ['frma'], sinf.body, Math.min(sinf.end, entry.end));
  return frma && frma.body + 4 <= frma.end ? readCode(bytes, frma.body) : entry.type;
}

/** The encryption of an entry, with the scheme of `schm` (§8.12.6) if there is one. */
function encryptionOf(bytes: Uint8Array, entry: Box, children: readonly Box[]): Pick<SampleEntry, 'encryption'> {
  if (entry.type !== 'encv' && entry.type !== 'enca') return {};
  const sinf = children.find(({ type }) => type === 'sinf');
  const schm = sinf && findBox(bytes, ['schm'], sinf.body, Math.min(sinf.end, entry.end));
  const isWhole = schm !== undefined && schm.body + 8 <= schm.end && schm.end <= bytes.length;
  const scheme = isWhole ? ` (${readCode(bytes, schm.body + 4)})` : '';
  return { encryption: entry.type + scheme };
}

const payloadOf = (bytes: Uint8Array, boxes: readonly Box[], type: string, least: number): Uint8Array | undefined => {
  const box = boxes.find((each) => each.type === type);
  return box !== undefined && box.end <= bytes.length && box.end - box.body >= least
    ? bytes.subarray(box.body, box.end)
    : undefined;
};

function videoCodec(bytes: Uint8Array, format: string, children: readonly Box[]): string {
  const avc = payloadOf(bytes, children, 'avcC', 4);
  if (avc !== undefined) return `${format}.${hexOf(avc.subarray(1, 4))}`;
  const hevc = payloadOf(bytes, children, 'hvcC', 13);
  if (hevc !== undefined) return `${format}.${hevcProfile(hevc.subarray(1, 13))}`;
  const vp = payloadOf(bytes, children, 'vpcC', 7);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (vp !== undefined) {
    const [profile = 0, level = 0, depth = 0] = vp.subarray(4);
    return `${format}.${two(profile)}.${two(level)}.${two(depth >> 4)}`;
  }
  const av1 = payloadOf(bytes, children, 'av1C', 3);
  if (av1 !== undefined) {
    const [profile = 0, flags = 0] = av1.subarray(1);
    const tier = flags & 0x80 ? 'H' : 'M';
    const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
    return `${format}.${profile >> 5}.${two(profile & 0x1f)}${tier}.${two(depth)}`;
  }
  return format;
}

/**
 * The part after `hvc1.` (ISO/IEC 14496-15 E.3).
 * @param profile the 12 bytes from general_profile_space to general_level_idc, of `hvcC` or a sequence parameter set
 */
export function hevcProfile(profile: Uint8Array): string {
  const first = readUint8(profile, 0);
  const space = ' ABC'.charAt(first >> 6).trim();
  let flags = readUint32(profile, 1);
  let reversed = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    reversed = reversed * 2 + (flags % 2);
    flags = Math.floor(flags / 2);
  }
  const constraints = [...profile.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  const level = `${first & 0x20 ? 'H' : 'L'}${readUint8(profile, 11)}`;
  const parts = [`${space}${first & 0x1f}`, reversed.toString(16), level];
  return [...parts, ...constraints.map((byte) => byte.toString(16))].join('.').toUpperCase();
}

type AudioEntry = Pick<SampleEntry, 'codec' | 'sampleRate' | 'channels'>;

function audioCodec(bytes: Uint8Array, format: string, children: readonly Box[]): AudioEntry {
  const esds = payloadOf(bytes, children, 'esds', 5);
  if (esds !== undefined) return mpegAudioEntry(esds, format);
  const ac3 = payloadOf(bytes, children, 'dac3', 3);
  if (ac3 !== undefined) return { codec: format, channels: dolbyChannels(readUint8(ac3, 1) >> 2) };
  const ec3 = payloadOf(bytes, children, 'dec3', 5);
  if (ec3 !== undefined) return { codec: format, channels: dolbyChannels(readUint8(ec3, 3)) };
  const opus = payloadOf(bytes, children, 'dOps', 11);
  if (opus !== undefined) return { codec: 'opus', channels: readUint8(opus, 1), sampleRate: 48_000 };
  return { codec: format === 'fLaC' ? 'flac' : format };
}

/** The number of channels (ETSI TS 102 366 §4.4.2.3). @param bits that end with acmod (3 bits) and lfeon */
export const dolbyChannels = (bits: number): number => Number('21233445'.charAt((bits >> 1) & 7)) + (bits & 1);

const sampleRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
/** Samples per second for samplingFrequencyIndex (ISO/IEC 14496-3 1.6.3.4). */
export const aacSampleRate = (index: number): number | undefined => sampleRates[index];
/** The number of channels for channelConfiguration (ISO/IEC 14496-3 1.6.3.5). */
export const aacChannels = (configuration: number): number | undefined =>
  ({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8 })[configuration];

/** RFC 6381 §3.3: the object type, and for MPEG-4 audio (0x40) its own object type. */
function mpegAudioEntry(esds: Uint8Array, format: string): AudioEntry {
  const decoder = readEsds(esds);
  if (decoder === undefined) return { codec: format };
  if (decoder.objectType !== 0x40) return { codec: `${format}.${hexOf([decoder.objectType]).toUpperCase()}` };
  return decoder.config === undefined ? { codec: `${format}.40` } : readAudioConfig(decoder.config, format);
}

/** AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1), up to explicitly signalled spectral band replication. */
function readAudioConfig(config: Uint8Array, format: string): AudioEntry {
  const { bits } = createBitReader(config);
  const objectType = (): number => {
    const type = bits(5);
    return type === 31 ? 32 + bits(6) : type;
  };
  const rate = (): number | undefined => {
    const index = bits(4);
    return index === 15 ? bits(24) : aacSampleRate(index);
  };
  const type = objectType();
  let sampleRate = rate();
  const channels = aacChannels(bits(4));
  if (type === 5 || type === 29) sampleRate = rate();
  return {
    codec: `${format}.40.${type}`,
    ...(sampleRate === undefined ? {} : { sampleRate }),
    ...(channels === undefined ? {} : { channels: type === 29 ? 2 : channels }),
  };
}

/**
 * Walks ES_Descriptor, DecoderConfigDescriptor and DecoderSpecificInfo (ISO/IEC 14496-1 §7.2.6).
 * @param esds the payload of the box
 * @returns undefined if it does not contain the first two descriptors. `objectType`: objectTypeIndication (table 5), for example
 * 0x40 for MPEG-4 audio. `config`: DecoderSpecificInfo, for MPEG-4 audio the AudioSpecificConfig; absent if there is none
 */
export function readEsds(esds: Uint8Array) {
  let at = 4; // version and flags
  /** Moves to the content of a descriptor. @returns its length */
  const enter = (tag: number): number | undefined => {
    if (esds[at] !== tag) return undefined;
    let length = 0;
    let byte: number;
    let left = 4;
    do {
      at += 1;
      left -= 1;
      byte = readUint8(esds, at);
      length = (length << 7) | (byte & 0x7f);
    } while (byte & 0x80 && left > 0);
    at += 1;
    return at < esds.length ? length : undefined;
  };
  if (enter(3) === undefined) return undefined;
  const flags = readUint8(esds, at + 2);
  // streamDependenceFlag, URL_Flag and OCRstreamFlag announce optional fields.
  at += 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + readUint8(esds, at + 3) : 0) + (flags & 0x20 ? 2 : 0);
  if (enter(4) === undefined) return undefined;
  const objectType = readUint8(esds, at);
  at += 13;
  const length = enter(5);
  return length === undefined ? { objectType } : { objectType, config: esds.slice(at, at + length) };
}
