// What must be encoded for a ladder, decided from its rungs alone: two rungs that ask for the same encode share it.
import { audioFrameSamples } from '../../../ads/creative/conditionedAsset.ts';
import type { FrameRate } from '../../../time/units.ts';
import { videoTicks } from '../../../timeline/asset/frameGrid.ts';
import type { TransportLayout } from '../../../timeline/asset/transportLayout.ts';
import type { Ladder, Rung } from '../../../timeline/ladder/ladder.ts';
import { h264Level } from './h264Level.ts';

export type VideoEncode = {
  readonly codec: 'h264' | 'h265';
  /** The sample entry: avc1, hvc1 or hev1. */
  readonly tag: string;
  readonly profile: 'baseline' | 'main' | 'high';
  /** H.264 only; the H.265 encoder chooses its own. */
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
  /** Which encodes each rung plays, in the ladder's order. */
  readonly rungs: readonly {
    readonly id: string;
    readonly video?: number;
    readonly audio?: number;
    readonly transport?: TransportLayout;
  }[];
};

/** A ladder for which nothing can be encoded says why. */
export type NoEncoder = { readonly refused: string; readonly codecs: string };

const MUXED_AUDIO_KBPS = 128;
/** Of those that AC-3 allows (ETSI TS 102 366 table 4.13). */
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
      ...(video ? { video: placeOf(videos, video) } : {}),
      ...(audio ? { audio: placeOf(audios, audio) } : {}),
      ...(rung.transport ? { transport: rung.transport } : {}),
    });
  }
  return { videos, audios, rungs };
}

function placeOf<Encode>(encodes: Encode[], wanted: Encode): number {
  const text = JSON.stringify(wanted);
  const place = encodes.findIndex((encode) => JSON.stringify(encode) === text);
  return place >= 0 ? place : encodes.push(wanted) - 1;
}

function videoEncode(rung: Rung, codecs: string, rate: FrameRate): VideoEncode | NoEncoder {
  const [tag = ''] = codecs.split('.');
  const isH264 = tag === 'avc1' || tag === 'avc3';
  if (!isH264 && tag !== 'hvc1' && tag !== 'hev1')
    return {
      codecs,
      refused: `no encoder for ${codecs || 'a codec without a name'}: H.264 and H.265 video can be made`,
    };
  const width = even(rung.width ?? 640);
  const height = even(rung.height ?? 360);
  const framesPerSecond = rate.n / rate.d;
  const told = Math.floor((rung.averageBandwidth || rung.bandwidth) / 1000);
  const audio = rung.kind === 'muxed' ? muxedAudioKbps(rung) : 0;
  const most = Math.min(12_000, Math.ceil((width * height * framesPerSecond * 0.2) / 1000));
  const kbps = Math.max(100, Math.min(told - audio, most));
  const { timescale } = videoTicks(rate, rung.timescale);
  if (!isH264) return { codec: 'h265', tag, profile: 'main', width, height, kbps, timescale };
  const profile = ({ '42': 'baseline', '4d': 'main' } as const)[codecs.slice(5, 7).toLowerCase()] ?? 'high';
  const level = h264Level({ width, height, framesPerSecond, kbps, told: Number.parseInt(codecs.slice(9, 11), 16) });
  return { codec: 'h264', tag: 'avc1', profile, level, width, height, kbps, timescale };
}

/** 4:2:0 pictures have an even size; the odd sizes that some ladders tell lose a row. */
const even = (size: number): number => Math.max(16, size - (size % 2));

function audioEncode(rung: Rung, codecs = 'mp4a.40.2'): AudioEncode | NoEncoder {
  const [, name] = /^(mp4a\.40\.|ac-3|ec-3)/.exec(codecs) ?? [];
  if (name === undefined)
    return {
      codecs,
      refused: `no encoder for ${codecs || 'a codec without a name'}: AAC, AC-3 and E-AC-3 audio can be made`,
    };
  const codec = ({ 'ac-3': 'ac3', 'ec-3': 'eac3' } as const)[name] ?? 'aac';
  const channels = rung.channels === 1 || rung.channels === 6 ? rung.channels : 2;
  const sampleRate = rung.sampleRate ?? 48_000;
  const encode = { codec, sampleRate, channels, frameSamples: audioFrameSamples(codecs) } as const;
  if (codec !== 'aac') return { ...encode, kbps: DOLBY_KBPS[channels] };
  if (rung.kind === 'muxed') return { ...encode, kbps: muxedAudioKbps(rung) };
  const told = Math.round((rung.averageBandwidth || rung.bandwidth) / 1000);
  return { ...encode, kbps: Math.max(32 * channels, Math.min(told, 96 * channels)) };
}

/** A poor muxed rung keeps its bits for the picture. */
const muxedAudioKbps = (rung: Rung): number => (rung.bandwidth < 500_000 ? MUXED_AUDIO_KBPS / 2 : MUXED_AUDIO_KBPS);
