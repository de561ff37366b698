// SPDX-License-Identifier: Apache-2.0
// A live feed: one origin of a channel on air. A channel with an HLS and a DASH origin has two, which are never joined, because
// the clocks of one encoder's HLS and DASH may differ by a second.
import type { Millis } from '../time/units.ts';
import type { Rendition } from '../timeline/asset/asset.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';

/** What the channel plays on one rung: a rendition of the origin, without its segments. */
export type RungSource = Omit<Rendition, 'tracks' | 'id'> & {
  /** Names the rendition in the origin, and stays the same when the manifest is read again (tokens in URLs may change). */
  readonly key: string;
  /** DASH: ContentProtection elements as XML, with their namespaces declared. */
  readonly protection?: readonly string[];
};

/** Fixed when the channel goes on air; stored. */
export type LiveFeed = {
  readonly channelId: string;
  readonly tenant: string;
  /** Unique. A session belongs to one life. */
  readonly life: string;
  readonly format: 'hls' | 'dash';
  /** The formats that its sessions may have. */
  readonly serves: 'hls' | 'dash' | 'both';
  readonly url: string;
  readonly startedAt: Millis;
  readonly ladder: Ladder;
  /** By rung. */
  readonly rungs: readonly RungSource[];
  /** The media of its slate. */
  readonly slateId: string;
};

/** The backup origins of a format, by the ends of their paths. Where these state nothing, reading them shows what they are. */
export const backupsFor = (urls: readonly string[], format: LiveFeed['format']): readonly string[] =>
  urls.filter((url) => {
    const [path = ''] = url.split(/[?#]/);
    return format === 'hls' ? !/\.mpd$/i.test(path) : !/\.m3u8$/i.test(path);
  });
