// SPDX-License-Identifier: Apache-2.0
// A channel as its operator configures it. Its state on air is in schedule/airing.ts.

import type { BumperUrls } from '../timeline/programme/span.ts';
import type { ChannelDemand } from './demand.ts';
import type { Written } from './written.ts';

/** `auto`: players that are known to insert ads well do so themselves. */
export type Insertion = 'stitched' | 'guided' | 'auto';

/** How HLS marks breaks; in DASH, whether it does. */
export type MarkersOut = 'none' | 'daterange' | 'cue' | 'both';

export type BreakSource = 'auto' | 'cuePoints' | 'manifest' | 'vmap';

/** Seconds. */
export const DEFAULT_BREAK_DURATION = 30;
export const DEFAULT_MAX_BREAK_DURATION = 180;

type ChannelBase = Written &
  ChannelDemand & {
    readonly name?: string;
    readonly labels?: readonly string[];
    readonly state: 'enabled' | 'disabled';
    /** The value of `api-key` that the live routes require. */
    readonly apiKey: string;
    /** The secret that signs playback URLs which open sessions; absent when no signature is required. */
    readonly signingSecret?: string;
    /** What linear and VoD channels play. A live channel keeps it for its lists and does not use it. */
    readonly playlistId?: string;
    readonly adSlateManifestUrl?: string;
    readonly bumpers?: BumperUrls;
    /** Seconds. When a break already has an ad, a shorter remainder is filled with slate. */
    readonly fillThreshold?: number;
    /** Whether a creative may be shown twice in a break; `inPods` when absent. */
    readonly repeats?: 'allow' | 'inPods' | 'drop';
    /** The playlist window, in seconds. */
    readonly playlistSize: number;
    /** Seconds that `?start=` may reach back. */
    readonly timeShiftWindow: number;
    readonly tracking: 'server' | 'client';
    /** Whether manifests announce breaks and ads; true when absent. */
    readonly announceAds?: boolean;
    /** How linear and live channels mark their breaks for those who replace them downstream; `none` when absent. */
    readonly markersOut?: MarkersOut;
    /** Seconds before a break of a linear channel from which on its date range is listed; 4 when absent. */
    readonly markersOutAhead?: number;
    /** Whether ads are stitched into manifests, or players insert them; `stitched` when absent. */
    readonly insertion?: Insertion;
    /** Whether long manifests have updates; false when absent, because Video.js loses its position with those of HLS. */
    readonly deltaUpdates?: boolean;
    /** Whether the channel accepts player confirmations. */
    readonly confirmations?: boolean;
    /** Seconds of a break whose cue point states no `maxDuration`; DEFAULT_BREAK_DURATION when absent. */
    readonly breakDuration?: number;
    readonly systemId?: string;
  };

/** Plays its playlist in a loop. */
export type LinearChannel = ChannelBase & {
  readonly type: 'vod2live';
  /** Seconds that an inserted break can have; DEFAULT_MAX_BREAK_DURATION when absent. */
  readonly maxBreakDuration?: number;
};

/** Each session plays the playlist once, from its start. */
export type VodChannel = ChannelBase & {
  readonly type: 'vod';
  /** Lower-case hosts that `?content=` can name: `host`, `host:port` or `*.domain`; none when absent. */
  readonly contentHosts?: readonly string[];
  /** Where the breaks come from; `auto` when absent. */
  readonly breakSource?: BreakSource;
  /** Milliseconds in which all breaks of a session are decided; 3000 when absent. */
  readonly vodBudgetMs?: number;
  /** Whether the breaks before the position where a session resumes are played; `play` when absent. */
  readonly resumePolicy?: 'play' | 'skip';
};

/** The stream of a live origin. */
export type LiveChannel = ChannelBase & {
  readonly type: 'live';
  /** The origin, an HLS multivariant or media playlist or an MPD. Without it, the channel cannot play. */
  readonly sourceManifestUrl?: string;
  /** A DASH origin for DASH sessions, when `sourceManifestUrl` is HLS. */
  readonly sourceDashUrl?: string;
  /** Origins that are used in this order while the others fail; each for the origin of its format. */
  readonly backupManifestUrls?: readonly string[];
  /** Ads before the content for viewers who join; seconds. */
  readonly preroll?: { readonly maxDuration: number; readonly maxAds?: number };
  /** What a break shows where it has no ads; `slate` when absent. */
  readonly breakFill?: 'slate' | 'content';
  /** Seconds of a break that never states its end, and that an inserted one can have; DEFAULT_MAX_BREAK_DURATION when absent. */
  readonly maxBreakDuration?: number;
  /** Whether manifests keep the origin's own markers; `strip` when absent. */
  readonly markers?: 'strip' | 'pass';
  /** What is requested of the ad server before a break is known; `off` when absent. */
  readonly prefetch?: 'off' | 'creatives' | 'decision';
  /** The SCTE-35 segmentation types that start breaks; the decoder's defaults when absent. */
  readonly segmentationTypes?: readonly number[];
};

/** A stored channel may have fields of other types, too: they are returned, but not used. */
export type Channel = LinearChannel | VodChannel | LiveChannel;
