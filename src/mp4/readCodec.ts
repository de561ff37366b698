// Codec strings (RFC 6381) and the facts of a sample entry (ISO/IEC 14496-12 §8.5.2, 14496-15, RFC 6381 §3). Best effort: an
// entry that it does not know yields its four letters.
import type { Box } from './boxes.ts';
import { findBox, readBoxes, readUint32 } from './boxes.ts';

export type SampleEntry = {
  /** RFC 6381, e.g. `avc1.64001f`; of the original format when the entry is encrypted. */
  readonly codec: string;
  /** The entry and its scheme, e.g. `encv (cbcs)`; absent when its samples are clear. */
  readonly encryption?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sampleRate?: number;
  readonly channels?: number;
};

const VISUAL_HEADER = 78;
const AUDIO_HEADER = 28;
const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
const hex = (value: number, width = 2): string => value.toString(16).padStart(width, '0');

/** @param entry a child of `stsd`, whole within `bytes` */
export function readSampleEntry(bytes: Uint8Array, entry: Box, handler: string): SampleEntry {
  if (handler === 'vide' && entry.body + VISUAL_HEADER <= entry.end) return readVisual(bytes, entry);
  if (handler === 'soun' && entry.body + AUDIO_HEADER <= entry.end) return readAudio(bytes, entry);
  return { codec: entry.type };
}

function readVisual(bytes: Uint8Array, entry: Box): SampleEntry {
  const children = readBoxes(bytes, entry.body + VISUAL_HEADER, entry.end);
  const format = originalFormat(bytes, entry, children);
  const size = { width: uint16(bytes, entry.body + 24), height: uint16(bytes, entry.body + 26) };
  return { codec: videoCodec(bytes, format, children), ...encryptionOf(bytes, entry, children), ...size };
}

function readAudio(bytes: Uint8Array, entry: Box): SampleEntry {
  // QuickTime's versions 1 and 2 of the entry are longer; their `esds` may lie inside `wave`.
  const version = uint16(bytes, entry.body + 8);
  const header = AUDIO_HEADER + (version === 1 ? 16 : version === 2 ? 36 : 0);
  const outer = readBoxes(bytes, entry.body + header, entry.end);
  const children = outer.flatMap((box) =>
    box.type === 'wave' ? readBoxes(bytes, box.body, Math.min(box.end, entry.end)) : [box],
  );
  const format = originalFormat(bytes, entry, outer);
  const told = { channels: uint16(bytes, entry.body + 16), sampleRate: uint16(bytes, entry.body + 24) };
  const exact = audioCodec(bytes, format, children);
  return {
    codec: exact.codec,
    ...encryptionOf(bytes, entry, outer),
    ...positive('channels', exact.channels ?? told.channels),
    ...positive('sampleRate', exact.sampleRate ?? told.sampleRate),
  };
}

const positive = (name: string, value: number): Record<string, number> => (value > 0 ? { [name]: value } : {});

/** What `encv` or `enca` hides (ISO/IEC 14496-12 §8.12.3). */
function originalFormat(bytes: Uint8Array, entry: Box, children: readonly Box[]): string {
  if (entry.type !== 'encv' && entry.type !== 'enca') return entry.type;
  const sinf = children.find(({ type }) => type === 'sinf');
  const frma = sinf && findBox(bytes, ['frma'], sinf.body, Math.min(sinf.end, entry.end));
  return frma && frma.body + 4 <= frma.end
    ? String.fromCharCode(...bytes.subarray(frma.body, frma.body + 4))
    : entry.type;
}

/** The scheme of `schm` (§8.12.6). An entry that does not say what it hides is encrypted all the same. */
function encryptionOf(bytes: Uint8Array, entry: Box, children: readonly Box[]): Pick<SampleEntry, 'encryption'> {
  if (entry.type !== 'encv' && entry.type !== 'enca') return {};
  const sinf = children.find(({ type }) => type === 'sinf');
  const schm = sinf && findBox(bytes, ['schm'], sinf.body, Math.min(sinf.end, entry.end));
  const isWhole = schm !== undefined && schm.body + 8 <= schm.end && schm.end <= bytes.length;
  const scheme = isWhole ? ` (${String.fromCharCode(...bytes.subarray(schm.body + 4, schm.body + 8))})` : '';
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
  if (avc !== undefined) return `${format}.${hex(avc[1]!)}${hex(avc[2]!)}${hex(avc[3]!)}`;
  const hevc = payloadOf(bytes, children, 'hvcC', 13);
  if (hevc !== undefined) return `${format}.${hevcProfile(hevc.subarray(1, 13))}`;
  const vp = payloadOf(bytes, children, 'vpcC', 7);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (vp !== undefined) return `${format}.${two(vp[4]!)}.${two(vp[5]!)}.${two(vp[6]! >> 4)}`;
  const av1 = payloadOf(bytes, children, 'av1C', 3);
  if (av1 !== undefined) {
    const tier = av1[2]! & 0x80 ? 'H' : 'M';
    const depth = av1[2]! & 0x40 ? (av1[2]! & 0x20 ? 12 : 10) : 8;
    return `${format}.${av1[1]! >> 5}.${two(av1[1]! & 0x1f)}${tier}.${two(depth)}`;
  }
  return format;
}

/**
 * The part after `hvc1.` (ISO/IEC 14496-15 E.3), from the 12 bytes of general_profile_space to general_level_idc, which
 * stand alike in `hvcC` and in a sequence parameter set.
 */
export function hevcProfile(told: Uint8Array): string {
  const space = ['', 'A', 'B', 'C'][told[0]! >> 6]!;
  let flags = readUint32(told, 1);
  let reversed = 0;
  for (let bit = 0; bit < 32; bit += 1) {
    reversed = reversed * 2 + (flags % 2);
    flags = Math.floor(flags / 2);
  }
  const constraints = [...told.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  const tier = told[0]! & 0x20 ? 'H' : 'L';
  const parts = [`${space}${told[0]! & 0x1f}`, reversed.toString(16), `${tier}${told[11]}`];
  return [...parts, ...constraints.map((byte) => byte.toString(16))].join('.').toUpperCase();
}

type AudioFacts = { codec: string; sampleRate?: number; channels?: number };

function audioCodec(bytes: Uint8Array, format: string, children: readonly Box[]): AudioFacts {
  const esds = payloadOf(bytes, children, 'esds', 5);
  if (esds !== undefined) return readEsds(esds, format);
  const ac3 = payloadOf(bytes, children, 'dac3', 3);
  if (ac3 !== undefined) return { codec: format, channels: dolbyChannels((ac3[1]! >> 3) & 7, (ac3[1]! >> 2) & 1) };
  const ec3 = payloadOf(bytes, children, 'dec3', 5);
  if (ec3 !== undefined) return { codec: format, channels: dolbyChannels((ec3[3]! >> 1) & 7, ec3[3]! & 1) };
  const opus = payloadOf(bytes, children, 'dOps', 11);
  if (opus !== undefined) return { codec: 'opus', channels: opus[1]!, sampleRate: 48_000 };
  return { codec: format === 'fLaC' ? 'flac' : format };
}

/** Channels of acmod and lfeon (ETSI TS 102 366 §4.4.2.3). */
export const dolbyChannels = (mode: number, lfe: number): number => [2, 1, 2, 3, 3, 4, 4, 5][mode]! + lfe;

const sampleRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];
/** Samples a second of samplingFrequencyIndex (ISO/IEC 14496-3 1.6.3.4). */
export const aacSampleRate = (index: number): number | undefined => sampleRates[index];
/** Channels of channelConfiguration (ISO/IEC 14496-3 1.6.3.5). */
export const aacChannels = (configuration: number): number | undefined =>
  ({ 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 11: 7, 12: 8, 14: 8 })[configuration];

/** Walks ES_Descriptor, DecoderConfigDescriptor, DecoderSpecificInfo (ISO/IEC 14496-1 §7.2.6). */
function readEsds(esds: Uint8Array, format: string): AudioFacts {
  let at = 4;
  const enter = (tag: number): boolean => {
    if (esds[at] !== tag) return false;
    at += 1;
    for (let i = 0; i < 4 && esds[at]! >= 0x80; i += 1) at += 1;
    at += 1;
    return at < esds.length;
  };
  if (!enter(3)) return { codec: format };
  const flags = esds[at + 2] ?? 0;
  at += 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x40 ? 1 + (esds[at + 3] ?? 0) : 0) + (flags & 0x20 ? 2 : 0);
  if (!enter(4)) return { codec: format };
  const objectType = esds[at]!;
  at += 13;
  if (objectType !== 0x40) return { codec: `${format}.${hex(objectType).toUpperCase()}` };
  return enter(5) ? readAudioConfig(esds.subarray(at), format) : { codec: `${format}.40` };
}

/** AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1) as far as its explicit spectral band replication. */
function readAudioConfig(config: Uint8Array, format: string): AudioFacts {
  let position = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i += 1, position += 1) {
      value = value * 2 + (((config[position >> 3] ?? 0) >> (7 - (position & 7))) & 1);
    }
    return value;
  };
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
