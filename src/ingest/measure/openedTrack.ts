// SPDX-License-Identifier: Apache-2.0
import type { FrameRate } from '../../time/units.ts';
import type { Container, RenditionKind, TransportLayout } from '../../timeline/asset/asset.ts';
import type { Refusal } from '../source/presentation.ts';

/** An audio or video stream that Midroll cannot read, and its name in messages. */
export type UnreadStream = { readonly kind: 'audio' | 'video'; readonly name: string };

/** What the media themselves state, whatever the manifest states. */
export type MediaFacts = {
  readonly kind: RenditionKind;
  readonly container: Container;
  readonly videoCodec?: string | undefined;
  readonly audioCodec?: string | undefined;
  readonly textCodec?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly frameRate?: FrameRate | undefined;
  readonly sampleRate?: number | undefined;
  readonly channels?: number | undefined;
  readonly language?: string | undefined;
  /** The encryption of the samples, for example `encv (cbcs)`. Absent if no sample entry declares one. */
  readonly encryption?: string | undefined;
  readonly unread?: readonly UnreadStream[];
  readonly transport?: TransportLayout;
};

/** A frame lasts `ticks / frames` ticks. The borders of the track are multiples of it. */
export type FrameLength = { readonly ticks: number; readonly frames: number };

export type TrackOpening = OpenedTrack | Refusal;

/** A track whose first segment has been read. The times of other segments are read on request. */
export type OpenedTrack = {
  readonly facts: MediaFacts;
  /** Ticks per second. */
  readonly timescale: number;
  /** The number of ticks after which media times start again from 0. Absent if they do not wrap. */
  readonly wrap?: number;
  /** Absent if frames have different durations. */
  readonly frame?: FrameLength | undefined;
  /** What an edit list adds to media times, in ticks, and what browsers add. Absent without an edit list. */
  readonly edits?: { readonly shift: number; readonly inBrowsers: number } | undefined;
  /** The earliest presentation time of segment `index`, in ticks, not unwrapped. */
  startOf(index: number): Promise<number | Refusal>;
  /** The same with the sum of the frame durations. Absent if a single frame does not state its duration. */
  spanOf(index: number): Promise<{ readonly start: number; readonly duration?: number } | Refusal>;
};
