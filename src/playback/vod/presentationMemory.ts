// SPDX-License-Identifier: Apache-2.0
// The VoD sessions that a process keeps in memory. Sessions differ in size by a factor of a hundred, so their spans are limited
// and not their number. A session also keeps its title in memory, which others may share; it counts for the first of them. Those
// that are displaced are read from the store again.
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import type { FilmSession, Seats } from '../../sessions/session.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { Title } from '../../vod/title.ts';
import type { VodViewer } from './vodViewer.ts';

/** What requests for ad segments need of a session. It is small, so it stays in memory for long, and outages do not stop ads. */
export type SessionAds = {
  readonly session: FilmSession;
  readonly ladder: Ladder;
  readonly spans: ReadonlyMap<string, Span>;
};

/** Players request manifests once, so presentations need not stay in memory for long. */
const KEPT_MS = 120_000;
/** About 500 bytes each. */
const MAX_SPANS = 400_000;
/** What a session takes apart from spans. */
const SESSION_SIZE = 10;
/** A break and the content after it. Breaks that the ad server names are not known yet. */
const BREAK_SIZE = 4;
const UNKNOWN_BREAKS = 15;

/** A title apart from its segments, and segments of all renditions that take as much memory as a span. */
const TITLE_SIZE = 50;
const SEGMENTS_PER_SPAN = 50;
/** Old sessions are removed when this many have been added. */
const PURGE_EVERY = 200;

function expectedSpans({ session, title }: VodViewer): number {
  const parts = title.items.reduce((sum, { asset }) => sum + asset.parts.length, 0);
  return SESSION_SIZE + parts + BREAK_SIZE * (session.vod.plan?.breaks.length ?? UNKNOWN_BREAKS);
}

const titleSize = memo(({ items }: Title): number => {
  const tracks = items.flatMap(({ asset }) => asset.renditions.flatMap((rendition) => rendition.tracks));
  const segments = tracks.reduce((sum, { borders }) => sum + borders.length, 0);
  return TITLE_SIZE * items.length + Math.ceil(segments / SEGMENTS_PER_SPAN);
});

/** The names of its assets take space, too. */
const sizeOfAds = ({ session, spans }: SessionAds): number =>
  SESSION_SIZE + spans.size + Math.ceil(session.vod.assets.length / 4);

/** @param maxSize spans of presentations, and of ads */
export function createPresentationMemory(seats: Seats, maxSize: number = MAX_SPANS) {
  /** A cache would reject what is larger than the cache. */
  const bounded = <T>(sizeOf: (value: T) => number) => ({
    maxSize,
    sizeCalculation: (value: T): number => Math.min(maxSize, sizeOf(value)),
  });
  /** How many of the sessions share a title. */
  const sharing = new WeakMap<Title, number>();
  const share = (title: Title, change: 1 | -1): number => {
    const count = (sharing.get(title) ?? 0) + change;
    sharing.set(title, count);
    return count;
  };
  const known = new LRUCache<string, VodViewer>({
    ...bounded((viewer) => expectedSpans(viewer) + (sharing.get(viewer.title) === 1 ? titleSize(viewer.title) : 0)),
    ttl: KEPT_MS,
    updateAgeOnGet: true,
    dispose({ title }, id) {
      share(title, -1);
      if (!ads.has(id)) seats.delete(id);
    },
  });
  const ads = new LRUCache<string, SessionAds>({
    ...bounded(sizeOfAds),
    dispose: (_, id) => void (known.has(id) || seats.delete(id)),
  });
  let added = 0;
  return {
    find: (sessionId: string): VodViewer | undefined => known.get(sessionId),
    size: (): number => known.size,
    /** The number of sessions whose ads are kept. */
    adsSize: (): number => ads.size,
    keep(viewer: VodViewer) {
      share(viewer.title, 1);
      const { session } = viewer;
      known.set(session.id, viewer);
      seats.set(session.id, { session });
      added += 1;
      if (added % PURGE_EVERY === 0) known.purgeStale();
    },
    adsOf: (sessionId: string): SessionAds | undefined => ads.get(sessionId),
    keepAds(own: SessionAds) {
      const { session } = own;
      ads.set(session.id, own);
      seats.set(session.id, { session });
    },
  };
}
