// SPDX-License-Identifier: Apache-2.0
// The frames of AAC in ADTS (ISO/IEC 13818-7 §6.2), AC-3 and E-AC-3 (ETSI TS 102 366): the number of samples in an elementary
// stream, its sample rate and its channels.
import { aacChannels, aacSampleRate, dolbyChannels } from '../mp4/readCodec.ts';

export type AudioFrames = {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  /** Samples in one frame. */
  readonly frame: number;
  /** Samples in all complete frames. */
  readonly samples: number;
};

type Frame = Omit<AudioFrames, 'samples'> & { readonly size: number };

/** @returns undefined if the bytes do not begin with a frame of the codec */
export function readAudioFrames(bytes: Uint8Array, codec: 'aac' | 'dolby'): AudioFrames | undefined {
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
  if (at + 7 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xf6) !== 0xf0) return undefined;
  const sampleRate = aacSampleRate((bytes[at + 2]! >> 2) & 15);
  const configuration = ((bytes[at + 2]! & 1) << 2) | (bytes[at + 3]! >> 6);
  const size = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  if (sampleRate === undefined || size < 7) return undefined;
  return {
    codec: `mp4a.40.${(bytes[at + 2]! >> 6) + 1}`,
    sampleRate,
    channels: aacChannels(configuration) ?? 2,
    frame: 1024 * ((bytes[at + 6]! & 3) + 1),
    size,
  };
}

const dolbyRates = [48_000, 44_100, 32_000];
const bitRates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];

function readDolby(bytes: Uint8Array, at: number): Frame | undefined {
  if (at + 8 > bytes.length || bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return undefined;
  return bytes[at + 5]! >> 3 > 10 ? readEnhanced(bytes, at) : readPlain(bytes, at);
}

/** AC-3 (§4.3): 1,536 samples per frame. */
function readPlain(bytes: Uint8Array, at: number): Frame | undefined {
  const sampleRate = dolbyRates[bytes[at + 4]! >> 6];
  const code = bytes[at + 4]! & 63;
  const rate = bitRates[code >> 1];
  if (sampleRate === undefined || rate === undefined) return undefined;
  const words = { 48000: 2 * rate, 32000: 3 * rate, 44100: Math.floor((320 * rate) / 147) + (code & 1) }[sampleRate]!;
  const mode = bytes[at + 6]! >> 5;
  const before = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0);
  const lfe = (((bytes[at + 6]! << 8) | bytes[at + 7]!) >> (12 - before)) & 1;
  return { codec: 'ac-3', sampleRate, channels: dolbyChannels(mode, lfe), frame: 1536, size: 2 * words };
}

/** E-AC-3 (annex E). Dependent substreams add no samples. */
function readEnhanced(bytes: Uint8Array, at: number): Frame | undefined {
  const size = 2 * ((((bytes[at + 2]! & 7) << 8) | bytes[at + 3]!) + 1);
  const isDependent = bytes[at + 2]! >> 6 === 1;
  const rateCode = bytes[at + 4]! >> 6;
  const detail = (bytes[at + 4]! >> 4) & 3;
  const sampleRate = rateCode === 3 ? dolbyRates[detail]! / 2 : dolbyRates[rateCode];
  const blocks = rateCode === 3 ? 6 : [1, 2, 3, 6][detail]!;
  if (!sampleRate || size < 8) return undefined;
  const channels = dolbyChannels((bytes[at + 4]! >> 1) & 7, bytes[at + 4]! & 1);
  return { codec: 'ec-3', sampleRate, channels, frame: isDependent ? 0 : 256 * blocks, size };
}
