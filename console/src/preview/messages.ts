// SPDX-License-Identifier: Apache-2.0
// The messages between the console and the preview frame.

export type PlayerName = 'hls.js' | 'shaka';
export type PlayMessage = {
  readonly type: 'play';
  readonly url: string;
  readonly player: PlayerName;
  /** VoD: where playback starts, in seconds of the stream. The console shows its own seek bar. */
  readonly startAt?: number;
  /** Whether the player inserts the ads. */
  readonly isGuided: boolean;
};
export type SeekMessage = { readonly type: 'seek' /** Seconds of the stream. */; readonly to: number };
export type ConsoleMessage = PlayMessage | SeekMessage;
export type PlaybackState = {
  readonly type: 'state';
  readonly isPlaying: boolean;
  /** The position of the picture on the channel's clock, in milliseconds; absent while unknown. */
  readonly pictureAt?: number;
  /** Seconds since the start of the stream. */
  readonly position: number;
  readonly height?: number;
  /** Seconds that are buffered ahead. */
  readonly buffered: number;
};
export type FrameMessage =
  | { readonly type: 'ready' }
  | PlaybackState
  | { readonly type: 'error'; readonly text: string }
  /** What a guided player does with a break. */
  | { readonly type: 'event'; readonly text: string };
