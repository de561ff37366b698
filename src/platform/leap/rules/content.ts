// SPDX-License-Identifier: Apache-2.0
// A programme as partners know it. Sources: AdCOM 1.0, "Object: Content"; LEAP Concurrent Streams 1.0 and Forecast 1.0, which use it.
import type { Channel } from '../../../channels/channel.ts';
import { contentId } from '../../../channels/contentId.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { type Entry, isLiveSource } from '../../../scheduling/schedule.ts';
import type { LeapContent } from '../contract/leapContract.ts';

/** @param entry what is shown; the channel itself when absent */
export function contentOf(channel: Channel, entry?: Entry): LeapContent {
  const name = channel.name ?? channel.id;
  const own = { id: contentId(channel.id, entry?.id), channel: { id: channel.id, name } };
  if (entry === undefined) return { ...own, title: name, live: channel.type === 'live' ? 1 : 0 };
  const { title = name, subtitle, season, episode, categories, ratings, language, upid, source } = entry;
  const isEpisode = subtitle !== undefined || season !== undefined || episode !== undefined;
  return {
    ...own,
    title: subtitle ?? title,
    live: isLiveSource(source) ? 1 : 0,
    ...withoutUndefined({
      series: isEpisode ? title : undefined,
      season: season === undefined ? undefined : String(season),
      episode,
      genre: categories?.[0],
      rating: ratings?.[0]?.value,
      lang: /^[a-z]{2}(?=-|$)/i.exec(language ?? '')?.[0].toLowerCase(),
      data: upid && [{ name: upid.type, cids: [upid.value] }],
    }),
  };
}
