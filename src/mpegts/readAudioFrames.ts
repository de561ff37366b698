// SPDX-License-Identifier: Apache-2.0
// The frames of AAC in ADTS (ISO/IEC 13818-7 §6.2), AC-3 and E-AC-3 (ETSI TS 102 366): the number of samples in an elementary
// stream, its sample rate and its channels.
import { readUint8, readUint16 } from '../mp4/boxes.ts';
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
