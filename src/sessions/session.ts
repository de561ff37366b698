// A viewer: who they are to the ad server, and which ads they got. Everything else that they see follows from the
// channel and the clock.
import type { Millis } from '../time/units.ts';

export type Session = {
  readonly id: string;
  readonly channelId: string;
  readonly tenant: string;
  /** The life of the channel that it belongs to. */
  readonly life: string;
  readonly format: 'hls' | 'dash';
  readonly openedAt: Millis;
  /**
   * Seconds that its window reaches back, as the channel had them when it was opened: a window that grew on air would turn
   * EXT-X-MEDIA-SEQUENCE back (RFC 8216 §6.2.2) and reach breaks that have been forgotten.
   */
  readonly reach?: { readonly playlistSize: number; readonly timeShiftWindow: number };
  /**
   * Where a player's own clock starts in HLS: the first segment of the first rung that the session was shown, its start
   * and its media sequence number. Presentation times are counted from it, also where it was opened in DASH and is played
   * in HLS; absent in sessions that are older than it.
   */
  readonly zero?: { readonly at: Millis; readonly number: number };
  /** Set by `?start=`: the window reaches back to here, as far as the channel's timeShiftWindow lets it. */
  readonly start?: Millis;
  /** The other query parameters of the opening request: variables for the ad server. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
};
