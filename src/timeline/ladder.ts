// A channel's ladder: the qualities and languages that it offers for all of its life. What fits it plays; what does not
// is left out with a reason. It is taken from the first asset that can be used and fixed while the channel is on air.
import type { FrameRate } from '../time/units.ts';
import type { Container } from './asset.ts';
import type { Caption } from './caption.ts';
import type { TransportLayout } from './transportLayout.ts';

export type RungKind = 'video' | 'audio' | 'muxed' | 'text';

export type Rung = {
  /** As it stands in URLs: v0, v1 … (video or muxed, largest first), a0, a1 …, t0, t1 … (text, after all others). */
  readonly id: string;
  readonly kind: RungKind;
  /** What ads and slate are made for; a muxed rung names both, video first; text is `wvtt`. */
  readonly codecs: string;
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly width?: number;
  readonly height?: number;
  /**
   * Ticks a second of the first asset's pictures. Ads and slate are made in it where they can be: some readers of HLS
   * (that of ffmpeg is one) go on counting in the timescale of the init section that they met first.
   */
  readonly timescale?: number;
  /** Of MPEG-TS: the layout of the first asset, in which ads and slate are made. */
  readonly transport?: TransportLayout;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly language?: string;
  readonly name?: string;
  readonly isDefault?: boolean;
  /** Of text; `characteristics` in the words of HLS. */
  readonly isForced?: boolean;
  readonly characteristics?: string;
};

export type Ladder = {
  readonly container: Exclude<Container, 'vtt'>;
  /** `separate`: video rungs and audio rungs; `muxed`: both in one; `videoOnly` / `audioOnly`: as they say. */
  readonly layout: 'separate' | 'muxed' | 'videoOnly' | 'audioOnly';
  readonly frameRate: FrameRate;
  readonly rungs: readonly Rung[];
  /** Closed captions inside the pictures; none when there are none, absent when that is not known. */
  readonly captions?: readonly Caption[];
  /** EXT-X-TARGETDURATION in seconds: no segment of the channel ever rounds to more. */
  readonly targetDuration: number;
};
