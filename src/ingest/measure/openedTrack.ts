import type { FrameRate } from '../../time/units.ts';
import type { Container, RenditionKind } from '../../timeline/asset.ts';
import type { TransportLayout } from '../../timeline/transportLayout.ts';
import type { Refusal } from '../source/presentation.ts';
import type { UnreadStream } from '../source/transportStreams.ts';

/** What the media say of themselves. */
export type MediaFacts = {
  readonly kind: RenditionKind;
  readonly container: Container;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly textCodec?: string;
  readonly width?: number;
  readonly height?: number;
  readonly frameRate?: FrameRate;
  readonly sampleRate?: number;
  readonly channels?: number;
  readonly language?: string;
  /** How the samples are encrypted, e.g. `encv (cbcs)`; absent where no sample entry says so. */
  readonly encryption?: string;
  /** Streams of sound or pictures that are there and not read. */
  readonly unread?: readonly UnreadStream[];
  readonly transport?: TransportLayout;
};

/** A frame lasts `ticks / frames` ticks: the grid on which the borders of the track lie. */
export type FrameLength = { readonly ticks: number; readonly frames: number };

/** A track whose media have been looked at: it can be asked when its segments start. */
export type OpenedTrack = {
  readonly facts: MediaFacts;
  /** Ticks a second. */
  readonly timescale: number;
  /** Where the media's time begins anew; absent when it does not. */
  readonly wrap?: number;
  /** Absent when frames do not last alike. */
  readonly frame?: FrameLength;
  /** What an edit list adds to media times, in ticks, and what browsers add; absent without one. */
  readonly edits?: { readonly shift: number; readonly inBrowsers: number };
  /** The earliest presentation time of segment `index`, in ticks, not unwrapped. */
  startOf(index: number): Promise<number | Refusal>;
  /** The same with the sum of its frames' durations; without it when a lone frame does not tell how long it lasts. */
  spanOf(index: number): Promise<{ readonly start: number; readonly duration?: number } | Refusal>;
};
