// SPDX-License-Identifier: Apache-2.0
// A channel's ladder: the qualities and languages that it offers while it is on air. It is derived from the first usable
// asset and then fixed. Assets that do not fit it are excluded, with a reason.
import type { FrameRate } from '../../time/units.ts';
import type { Container } from '../asset/asset.ts';
import type { Caption } from '../asset/caption.ts';
import type { TransportLayout } from '../asset/transportLayout.ts';

export type RungKind = 'video' | 'audio' | 'muxed' | 'text';

export type Rung = {
  /** Its name in URLs: v0, v1 … (video or muxed, largest first), a0, a1 …, t0, t1 … (text, after all others). */
  readonly id: string;
  readonly kind: RungKind;
  /**
   * The codecs that ads and slate are encoded for; a muxed rung has both, video first. Text has `wvtt` or `stpp.…`, or is empty
   * for the WebVTT files of a live origin, which DASH does not list.
   */
  readonly codecs: string;
  readonly bandwidth: number;
  readonly averageBandwidth: number;
  readonly width?: number;
  readonly height?: number;
  /**
   * The video timescale of the first asset. Ads and slate use it if possible: some HLS clients, such as ffmpeg's, keep using
   * the timescale of the first initialization section that they read.
   */
  readonly timescale?: number;
  /** For MPEG-TS: the layout of the first asset, which ads and slate use too. */
  readonly transport?: TransportLayout;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly language?: string;
  readonly name?: string;
  readonly isDefault?: boolean;
  /** For text, as in HLS: FORCED and CHARACTERISTICS. */
  readonly isForced?: boolean;
  readonly characteristics?: string;
};

export type Ladder = {
  readonly container: Exclude<Container, 'vtt'>;
  /** `separate`: video rungs and audio rungs; `muxed`: both in one rung. */
  readonly layout: 'separate' | 'muxed' | 'videoOnly' | 'audioOnly';
  readonly frameRate: FrameRate;
  readonly rungs: readonly Rung[];
  /** Closed captions embedded in the video; empty when there are none, absent when that is unknown. */
  readonly captions?: readonly Caption[];
  /** EXT-X-TARGETDURATION in seconds: no segment of the channel is ever longer when rounded (law 4). */
  readonly targetDuration: number;
};
