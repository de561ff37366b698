// SPDX-License-Identifier: Apache-2.0
// The VoD sessions that a process keeps in memory. Sessions differ in size by a factor of a hundred, so their spans are limited
// and not their number. Those that are displaced are read from the store again.
import { LRUCache } from 'lru-cache';
import type { Session } from '../../sessions/session.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import type { VodViewer } from './vodViewer.ts';

/** What requests for ad segments need of a session. It is small, so it stays in memory for long, and outages do not stop ads. */
export type SessionAds = {
  readonly session: Session;
  readonly ladder: Ladder;
  readonly spans: ReadonlyMap<string, Span>;
};

export type PresentationMemory = {
  /** By the id of the session; `ads` likewise. */
  readonly known: LRUCache<string, VodViewer>;
  readonly ads: LRUCache<string, SessionAds>;
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

function expectedSpans({ session, title }: VodViewer): number {
  const parts = title.items.reduce((sum, { asset }) => sum + asset.parts.length, 0);
  return SESSION_SIZE + parts + BREAK_SIZE * (session.vod?.plan?.breaks.length ?? UNKNOWN_BREAKS);
}

/** The names of its assets take space, too. */
const sizeOfAds = ({ session, spans }: SessionAds): number =>
  SESSION_SIZE + spans.size + Math.ceil((session.vod?.assets.length ?? 0) / 4);

/** @param maxSize spans of presentations, and of ads */
export function createPresentationMemory(maxSize: number = MAX_SPANS): PresentationMemory {
  /** A cache would reject what is larger than the cache. */
  const bounded = <T>(sizeOf: (value: T) => number) => ({
    maxSize,
    sizeCalculation: (value: T): number => Math.min(maxSize, sizeOf(value)),
  });
  return {
    known: new LRUCache({ ...bounded(expectedSpans), ttl: KEPT_MS, updateAgeOnGet: true }),
    ads: new LRUCache(bounded(sizeOfAds)),
  };
}
