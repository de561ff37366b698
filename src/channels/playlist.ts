// SPDX-License-Identifier: Apache-2.0
// The editor's list of on-demand assets, as in the API. Seconds are as the editor wrote them; the schedule converts them
// to flicks.

import type { Written } from './written.ts';

/** A `spliceTime` that stands for the end of the item, in either unit. */
export const POST_ROLL = -1;

export type CuePoint = {
  /** Seconds or per cent, or POST_ROLL. */
  readonly spliceTime: number;
  /** Seconds; the channel's `breakDuration` when absent. */
  readonly maxDuration?: number;
  readonly maxAds?: number;
};

export type ContentItem = {
  readonly sourceType: 'url' | 'placeholder';
  readonly url?: string;
  /** Seconds. */
  readonly duration?: number;
  /** The unit of its cue points' spliceTime; seconds when absent. */
  readonly spliceType?: 'seconds' | 'percent';
  readonly cuePoints?: readonly CuePoint[];
};

export type Playlist = Written & {
  readonly name?: string;
  readonly labels?: readonly string[];
  readonly type?: 'vod2live' | 'vod';
  readonly status: 'enabled' | 'disabled';
  /** ISO 8601. A channel that plays the playlist starts a loop exactly at this time. */
  readonly startDate?: string;
  readonly contents?: readonly ContentItem[];
};

/** How messages name it: by its name if it has one. */
export const playlistTitle = ({ id, name }: Pick<Playlist, 'id' | 'name'>): string => (name ? `"${name}"` : id);

/** Replaces placeholders by items that play `url`. */
export const fillPlaceholders = (contents: readonly ContentItem[], url: string): ContentItem[] =>
  contents.map((item) => (item.sourceType === 'placeholder' ? { ...item, sourceType: 'url', url } : item));
