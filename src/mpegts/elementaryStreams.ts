// SPDX-License-Identifier: Apache-2.0
// The frames of AAC in ADTS (ISO/IEC 13818-7 §6.2), AC-3 and E-AC-3 (ETSI TS 102 366): the number of samples in an elementary
// stream, its sample rate and its channels. And the codec and picture size in parameter sets of H.264 and H.265.

import { createBitReader } from '../mp4/bitReader.ts';
import { readUint8, readUint16 } from '../mp4/boxes.ts';
import { aacChannels, aacSampleRate, dolbyChannels, hevcProfile, hexOf } from '../mp4/readCodec.ts';

type Frame = {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples in one frame. */
  readonly frame: number;
  readonly size: number;
};

/** @returns `samples`: those in all complete frames; undefined if the bytes do not begin with a frame of the codec */
export function readAudioFrames(bytes: Uint8Array, codec: 'aac' | 'dolby') {
  const read = codec === 'aac' ? readAdts : readDolby;
  const first = read(bytes, 0);
  if (first === undefined) return undefined;
  let samples = 0;
  let at = 0;
  for (let frame: Frame | undefined = first; frame !== undefined; frame = read(bytes, at)) {
    if (at + frame.size > bytes.length) break;
    samples += frame.frame;
    at += frame.size;
  }
  const { size: _, ...facts } = first;
  return { ...facts, samples };
}

function readAdts(bytes: Uint8Array, at: number): Frame | undefined {
  if (at + 7 > bytes.length || (readUint16(bytes, at) & 0xfff6) !== 0xfff0) return undefined;
  const header = readUint16(bytes, at + 2);
  const sampleRate = aacSampleRate((header >> 10) & 15);
  const configuration = (header >> 6) & 7;
  const size = ((header & 3) << 11) | (readUint16(bytes, at + 4) >> 5);
  if (sampleRate === undefined || size < 7) return undefined;
  return {
    codec: `mp4a.40.${(header >> 14) + 1}`,
    sampleRate,
    channels: aacChannels(configuration) ?? 2,
    frame: 1024 * ((readUint8(bytes, at + 6) & 3) + 1),
    size,
  };
}

const dolbyRates = [48_000, 44_100, 32_000];
const bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

function readDolby(bytes: Uint8Array, at: number): Frame | undefined {
  if (at + 8 > bytes.length || readUint16(bytes, at) !== 0x0b77) return undefined;
  return readUint8(bytes, at + 5) >> 3 > 10 ? readEnhanced(bytes, at) : readPlain(bytes, at);
}

/** AC-3 (§4.3): 1,536 samples per frame. */
function readPlain(bytes: Uint8Array, at: number): Frame | undefined {
  const rates = readUint8(bytes, at + 4);
  const sampleRate = dolbyRates[rates >> 6];
  const code = rates & 63;
  const bitRate = bitRates[code >> 1];
  if (sampleRate === undefined || bitRate === undefined) return undefined;
  // Words of 16 bits. At 44.1 kHz they are rounded down, and code states where one is added (table 4.13).
  const words = Math.floor((96_000 * bitRate) / sampleRate) + (sampleRate === 44_100 ? code & 1 : 0);
  const mode = readUint8(bytes, at + 6) >> 5;
  const before = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0);
  const lfe = (readUint16(bytes, at + 6) >> (12 - before)) & 1;
  return { codec: 'ac-3', sampleRate, channels: dolbyChannels((mode << 1) | lfe), frame: 1536, size: 2 * words };
}

/** E-AC-3 (annex E). Dependent substreams add no samples. */
function readEnhanced(bytes: Uint8Array, at: number): Frame | undefined {
  const start = readUint16(bytes, at + 2);
  const size = 2 * ((start & 0x7ff) + 1);
  const isDependent = start >> 14 === 1;
  const facts = readUint8(bytes, at + 4);
  const isHalved = facts >> 6 === 3;
  const detail = (facts >> 4) & 3;
  const sampleRate = isHalved ? (dolbyRates[detail] ?? 0) / 2 : dolbyRates[facts >> 6];
  const blocks = isHalved || detail === 3 ? 6 : detail + 1;
  if (!sampleRate || size < 8) return undefined;
  return { codec: 'ec-3', sampleRate, channels: dolbyChannels(facts), frame: isDependent ? 0 : 256 * blocks, size };
}

// The codec string and picture size in a sequence parameter set of H.264 (ITU-T H.264 §7.3.2.1.1) or H.265 (ITU-T H.265
// §7.3.2.2) in a byte stream.

type VideoParameters = { readonly codec: string; readonly width?: number; readonly height?: number };

/** The NAL units of a byte stream (annex B), without start codes. */
function* nalUnits(bytes: Uint8Array): Generator<Uint8Array> {
  let start = -1;
  for (let at = 0; at + 3 <= bytes.length; at += 1) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue;
    if (start >= 0) yield bytes.subarray(start, at);
    start = at + 3;
    at += 2;
  }
  if (start >= 0) yield bytes.subarray(start);
}

/** Removes emulation prevention bytes: 00 00 03 means 00 00 (H.264 §7.4.1). */
function withoutEscapes(nal: Uint8Array): Uint8Array {
  const out: number[] = [];
  let zeros = 0;
  for (const byte of nal.subarray(0, 512)) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out.push(byte);
  }
  return Uint8Array.from(out);
}

/** @param bytes the beginning of an access unit that contains parameter sets */
export function readAvcParameters(bytes: Uint8Array): VideoParameters | undefined {
  for (const nal of nalUnits(bytes))
    if (nal.length >= 5 && (readUint8(nal, 0) & 0x1f) === 7) return readAvc(withoutEscapes(nal));
  return undefined;
}

const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);

function readAvc(sps: Uint8Array): VideoParameters {
  const codec = `avc1.${hexOf(sps.subarray(1, 4))}`;
  const { bit, ue, se, isPastEnd } = createBitReader(sps, 4);
  ue(); // seq_parameter_set_id
  let chroma = 1;
  if (highProfiles.has(readUint8(sps, 1))) {
    chroma = ue();
    if (chroma === 3) bit();
    ue();
    ue();
    bit();
    const hasScaling = bit() === 1;
    for (let list = 0; hasScaling && list < (chroma === 3 ? 12 : 8); list += 1) if (bit() === 1) skipScaling(list, se);
  }
  ue(); // log2_max_frame_num_minus4
  const orderType = ue();
  if (orderType === 0) ue();
  else if (orderType === 1) {
    bit();
    se();
    se();
    for (let left = Math.min(ue(), 255); left > 0; left -= 1) se();
  }
  ue(); // max_num_ref_frames
  bit();
  const columns = ue() + 1;
  const rows = ue() + 1;
  const framesOnly = bit();
  if (framesOnly === 0) bit();
  bit();
  const [left, right, top, bottom] = bit() === 1 ? [ue(), ue(), ue(), ue()] : [0, 0, 0, 0];
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = (chroma === 1 ? 2 : 1) * (2 - framesOnly);
  const width = columns * 16 - unitX * (left + right);
  const height = (2 - framesOnly) * rows * 16 - unitY * (top + bottom);
  return isPastEnd() ? { codec } : { codec, ...plausible(width, height) };
}

function skipScaling(list: number, se: () => number): void {
  let [last, next] = [8, 8];
  for (let i = 0; i < (list < 6 ? 16 : 64); i += 1) {
    if (next !== 0) next = (last + se() + 256) % 256;
    if (next !== 0) last = next;
  }
}

const plausible = (width: number, height: number): { width: number; height: number } | undefined =>
  width > 0 && height > 0 && width <= 16_384 && height <= 16_384 ? { width, height } : undefined;

/** @param bytes the beginning of an access unit that contains parameter sets */
export function readHevcParameters(bytes: Uint8Array): VideoParameters | undefined {
  for (const nal of nalUnits(bytes))
    if (nal.length >= 15 && ((readUint8(nal, 0) >> 1) & 0x3f) === 33) return readHevc(withoutEscapes(nal));
  return undefined;
}

function readHevc(sps: Uint8Array): VideoParameters {
  const codec = `hvc1.${hevcProfile(sps.subarray(3, 15))}`;
  const subLayers = (readUint8(sps, 2) >> 1) & 7;
  const { bit, bits, ue, isPastEnd } = createBitReader(sps, 15);
  const present = Array.from({ length: subLayers }, () => ({ profile: bit(), level: bit() }));
  if (subLayers > 0) bits(2 * (8 - subLayers));
  for (const { profile, level } of present) {
    if (profile === 1) bits(88);
    if (level === 1) bits(8);
  }
  ue(); // sps_seq_parameter_set_id
  const chroma = ue();
  if (chroma === 3) bit();
  const [codedWidth, codedHeight] = [ue(), ue()];
  const [left, right, top, bottom] = bit() === 1 ? [ue(), ue(), ue(), ue()] : [0, 0, 0, 0];
  const unitX = chroma === 1 || chroma === 2 ? 2 : 1;
  const unitY = chroma === 1 ? 2 : 1;
  const width = codedWidth - unitX * (left + right);
  const height = codedHeight - unitY * (top + bottom);
  return isPastEnd() ? { codec } : { codec, ...plausible(width, height) };
}
