// What the console and the frame of its preview say to each other.

export type PlayerName = 'hls.js' | 'shaka';
export type PlayMessage = { readonly type: 'play'; readonly url: string; readonly player: PlayerName };
export type FrameMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'state';
      readonly isPlaying: boolean;
      /** Where the picture is on the channel's clock, in milliseconds; absent until that is known. */
      readonly pictureAt?: number;
      readonly height?: number;
      /** Seconds that are loaded ahead. */
      readonly buffered: number;
    }
  | { readonly type: 'error'; readonly text: string };
