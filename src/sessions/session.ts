// SPDX-License-Identifier: Apache-2.0
// A viewer, as the ad server identifies them. What they see follows from the channel, the clock and their decisions.
import type { Flicks, Millis } from '../time/units.ts';
import type { Instant } from '../timeline/programme/span.ts';
import type { BreakPlan } from '../vod/breakPlan.ts';
import type { Opportunity } from '../vod/planCuePoints.ts';

/** What every session has. */
type Opened = {
  readonly id: string;
  readonly channelId: string;
  readonly tenant: string;
  /** The life of the channel to which it belongs. */
  readonly life: string;
  readonly format: 'hls' | 'dash';
  readonly openedAt: Millis;
  /** The other query parameters of the request that opened the session: variables for the ad server. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
  /**
   * Set if the player inserts the ads itself: the session's playlists are not requested from Midroll, so it is kept until then,
   * however long its player requests nothing.
   */
  readonly guided?: { readonly keepUntil: Millis };
};

/** Until when a session is kept although its player requests nothing; undefined if it expires without requests. */
export const keepUntilOf = (session: Session): Millis | undefined =>
  session.kind === 'film' ? session.vod.keepUntil : session.guided?.keepUntil;

/** Who inserts the ads of a session. */
export const inserterOf = ({ guided }: Pick<Session, 'guided'>): 'stitched' | 'guided' =>
  guided === undefined ? 'stitched' : 'guided';

/** What sessions have that play a timeline which their viewers share. */
type OnAir = Opened & {
  /**
   * The window in seconds, as the channel had it when the session was opened. A window that grew on air would decrease
   * EXT-X-MEDIA-SEQUENCE (RFC 8216 §6.2.2) and reach breaks that have been forgotten. `deltaUpdates` is that of this
   * moment, too: Shaka Player 5.2 looks for updates in its first manifest only. `targetDuration` is set if the origin
   * listed longer segments than when it went on air.
   */
  readonly reach: {
    readonly playlistSize: number;
    readonly timeShiftWindow: number;
    readonly deltaUpdates?: boolean;
    readonly targetDuration?: number;
  };
  /**
   * Time zero of a player's clock in HLS: start and media sequence number of the first segment of the first rung that the
   * session was shown. Presentation times count from it, also when the session was opened in DASH and is played in HLS.
   * Absent if the channel had nothing to show when the session was opened.
   */
  readonly zero?: { readonly at: Millis; readonly number: number };
  /** Set by `?start=`: the window starts here, within the channel's timeShiftWindow. */
  readonly start?: Millis;
};

type ScheduleSession = OnAir & { readonly kind: 'schedule' };
type LiveSession = OnAir & { readonly kind: 'live'; readonly live: JoinedLive };
export type OnAirSession = ScheduleSession | LiveSession;
export type FilmSession = Opened & { readonly kind: 'film'; readonly vod: OpenedTitle };

export type Session = OnAirSession | FilmSession;

/** The ads before the content of a viewer who joins. */
export const prerollOf = (session: Session): JoinedLive['preroll'] =>
  session.kind === 'live' ? session.live.preroll : undefined;

export type JoinedLive = {
  /** The live edge on the channel's timeline when the session was opened. */
  readonly joinedAt: Millis;
  /** Ads before the content: where they start on the timeline, and the most that they may last. */
  readonly preroll?: { readonly start: Instant; readonly duration: Flicks; readonly maxAds?: number };
};

/** What a VoD session shows, fixed when it was opened: later edits of the playlist do not change it. */
export type OpenedTitle = {
  /** The keys of the imported assets, in playing order. */
  readonly assets: readonly string[];
  /** Absent if the ad server names the breaks (VMAP). */
  readonly plan?: BreakPlan;
  /** Breaks of cue points, which VMAP may refer to by number; only without `plan`. */
  readonly opportunities?: readonly Opportunity[];
  /** `?start=` in seconds of content time. */
  readonly resumeAt?: number;
  /** The session is kept until then, however long its player requests nothing. */
  readonly keepUntil: Millis;
};

// The sessions that a process has in memory, by id: where each one belongs. Every request of a player starts here, whatever its
// channel is, so what a session needs at once with every request belongs here, too.

/** What is kept of a manifest while only time passes. What else it has is known where manifests are written. */
export type Card = {
  /** Of the manifest, within the session. */
  readonly name: string;
  next: Card | undefined;
};

/** `session` has the tenant, the channel, its life, and the kind of the session. */
type Seat = { readonly session: Session; readonly card?: Card | undefined };

/**
 * Filled by the memory of viewers (playback/viewers/viewers.ts) and that of presentations (playback/vod/presentationMemory.ts),
 * which bound it.
 */
export type Seats = Map<string, Seat>;
