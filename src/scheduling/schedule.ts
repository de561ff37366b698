// SPDX-License-Identifier: Apache-2.0
// The schedule of a linear channel, as its operator writes it: entries at fixed times or one after the other, and rules that
// expand into entries. Seconds are as written. Viewers know an entry as a programme of the guide.
import type { CuePoint } from '../channels/playlist.ts';
import type { BumperUrls, Upid } from '../timeline/programme/span.ts';

/** Seconds of the asset; `in` and `out` limit what is played of it. */
export type AssetSource = { readonly url: string; readonly in?: number; readonly out?: number };
/** The items of a playlist, once, with their cue points. */
export type PlaylistSource = { readonly playlistId: string };
/** The stream of an origin from the start of the entry on. Seconds. */
export type LiveProgramme = {
  readonly sourceManifestUrl: string;
  readonly plannedDuration: number;
  /** What ends it: its planned duration, an operator, or a programme end of the origin. `planned` when absent. */
  readonly end?: 'planned' | 'manual' | 'marker';
  /** What entries do whose start has passed when it ends: they are played from their beginning, or joined. `join` when absent. */
  readonly overrun?: 'move' | 'join';
  /** The longest that it may last; MAX_OVERRUN more than planned when absent. */
  readonly maxDuration?: number;
  /** Origins that are used in this order while the others fail. */
  readonly backupManifestUrls?: readonly string[];
  /** When it was ended. ISO 8601. */
  readonly endedAt?: string;
};
export type LiveSource = { readonly live: LiveProgramme };

export type EntrySource = AssetSource | PlaylistSource | LiveSource;

/** Breaks at regular distances. Seconds of the entry. */
export type BreakRule = {
  readonly every: number;
  /** `every` when absent. */
  readonly firstAfter?: number;
  /** No break starts in the last so many seconds; 0 when absent. */
  readonly notInLast?: number;
  /** The channel's `breakDuration` when absent. */
  readonly maxDuration?: number;
  readonly maxAds?: number;
  readonly maxPerHour?: number;
};

/**
 * Cue points, whose positions count from the start of the entry; the ad markers of the asset; or a rule. An empty list is an
 * entry without breaks.
 */
export type EntryBreaks = readonly CuePoint[] | 'markers' | BreakRule;

export type GuideImage = { readonly url: string; readonly width?: number; readonly height?: number };
/** `system`: who rates, such as `MPAA` or `FSK`. */
export type GuideRating = { readonly value: string; readonly system?: string };
/** `system`: `onscreen`, `xmltv_ns`, or a name of the operator. */
export type EpisodeNumber = { readonly value: string; readonly system?: string };

/** What the guide says of a programme. Texts by language have RFC 5646 tags as keys. */
export type GuideFields = {
  readonly title?: string;
  readonly titles?: Readonly<Record<string, string>>;
  readonly subtitle?: string;
  readonly description?: string;
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Of `title`, `subtitle` and `description`. */
  readonly language?: string;
  readonly categories?: readonly string[];
  readonly ratings?: readonly GuideRating[];
  readonly images?: readonly GuideImage[];
  /** From 1. */
  readonly season?: number;
  readonly episode?: number;
  readonly episodeNumbers?: readonly EpisodeNumber[];
  readonly year?: number;
  readonly isRepeat?: boolean;
  /** Whether the guide leaves it out. */
  readonly isHidden?: boolean;
};

export type Entry = GuideFields & {
  readonly id: string;
  /** ISO 8601 with a time zone; after the entry before it when absent. */
  readonly start?: string;
  readonly source: EntrySource;
  /** Seconds. The entry has exactly this length: it is cut, or filled. As long as its source and breaks when absent. */
  readonly duration?: number;
  /** Those of the schedule when absent. */
  readonly breaks?: EntryBreaks;
  /** What frames its breaks; those of the channel when absent, none when empty. */
  readonly bumpers?: BumperUrls;
  /** What identifies it for distributors, in the markers of manifests. */
  readonly upid?: Upid;
};

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The most occurrences of a rule that are listed as ended: earlier ones are over. */
export const MAX_ENDED = 100;

/** Expands into entries: on each of its days, at its time of day. */
export type Rule = {
  readonly id: string;
  /** `HH:MM` or `HH:MM:SS`, in `timeZone`. */
  readonly at: string;
  /** Where its entries are repeated until a time of day; of the next day, if that is not later than `at`. */
  readonly repeatUntil?: string;
  /** IANA name; UTC when absent. */
  readonly timeZone?: string;
  /** All when absent. */
  readonly days?: readonly Weekday[];
  /** The first and last day, `YYYY-MM-DD`. */
  readonly from?: string;
  readonly until?: string;
  /** Days on which it does not apply. */
  readonly except?: readonly string[];
  /** Live entries of occurrences that an operator or their origin has ended, by the ids that they expand into, and when: ISO 8601. */
  readonly ended?: readonly { readonly entryId: string; readonly at: string }[];
  /** `alternate`: one of its entries each day, in turn. `sequence` when absent. */
  readonly order?: 'sequence' | 'alternate';
  readonly entries: readonly RuleEntry[];
};

/** `id` is unique within its rule. */
export type RuleEntry = Omit<Entry, 'start'>;

/** Everything of a schedule apart from its entries. */
export type ScheduleSettings = {
  readonly rules?: readonly Rule[];
  /** What fills gaps; the channel's own playlist when absent. */
  readonly fillerPlaylistId?: string;
  /** For entries that have none of their own. */
  readonly breaks?: 'markers' | BreakRule;
};

export const isPlaylistSource = (source: EntrySource): source is PlaylistSource => 'playlistId' in source;
export const isLiveSource = (source: EntrySource): source is LiveSource => 'live' in source;
/** A list has a method named `every`. */
export const isBreakRule = (breaks: EntryBreaks): breaks is BreakRule =>
  typeof breaks === 'object' && !Array.isArray(breaks);
