// SPDX-License-Identifier: Apache-2.0
import type { LiveFeed } from './feed.ts';

/** The backup origins of a format, by the ends of their paths. Where these state nothing, reading them shows what they are. */
export const backupsFor = (urls: readonly string[], format: LiveFeed['format']): readonly string[] =>
  urls.filter((url) => {
    const [path = ''] = url.split(/[?#]/);
    return format === 'hls' ? !/\.mpd$/i.test(path) : !/\.m3u8$/i.test(path);
  });
