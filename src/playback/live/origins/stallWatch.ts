// SPDX-License-Identifier: Apache-2.0
// Notices that a live origin can be read, but that nothing of it can be listed: because it has ended, or lists no new segments,
// or does so for some of its renditions only. Without effects; the clock is the caller's.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading, OriginRendition } from '../../../live/origin.ts';
import type { Millis } from '../../../time/units.ts';

export type Stall = {
  readonly kind: 'stalled' | 'ended';
  /** When the last segment was added to the timeline. */
  readonly since: Millis;
  /** One sentence. */
  readonly reason: string;
};

/** Origins are late at times. */
const STALLED_MS = 10_000;
export const stalledAfter = (targetMs: number): number => Math.max(STALLED_MS, 3 * targetMs);
/** A playlist has to grow within one and a half target durations (RFC 8216 §6.2.1), and is read every half. */
const lateAfter = (targetMs: number): number => 2 * targetMs;

export const ENDED = {
  hls: 'The stream of the origin has ended: its playlists have EXT-X-ENDLIST.',
  dash: 'The stream of the origin has ended: its MPD has become static.',
};
export const NOTHING_NEW = 'The origin can be read, but lists no new segments.';
const NOT_TOGETHER =
  'The origin lists new segments, but those of its renditions do not belong together: compare their dates and numbers.';
const NOT_USABLE =
  'The origin lists new segments, but they do not continue those before: check their numbers, dates and durations.';
const only = (keys: readonly string[]): string =>
  `The origin lists no new segments of ${keys.join(', ')}; a segment is listed for viewers when all renditions have it.`;

type Edge = { readonly text: string; readonly since: Millis };

export function createStallWatch({ format, rungs }: Pick<LiveFeed, 'format' | 'rungs'>) {
  // The edge does not wait for text.
  const texts = new Set(rungs.filter(({ kind }) => kind === 'text').map(({ key }) => key));
  const edges = new Map<string, Edge>();
  let isEnded = false;
  let startedAt: Millis | undefined;
  /** The first reading after a failure. */
  let readableSince: Millis | undefined;

  function noteEdge({ key, segments }: OriginRendition, at: Millis): void {
    const newest = segments.at(-1);
    const text = newest === undefined ? '' : `${newest.number} ${newest.media.url}`;
    const known = edges.get(key);
    // A cache may return an older edge now and then.
    if (known === undefined || (known.text !== text && text !== '')) edges.set(key, { text, since: at });
  }

  return {
    /** @param reading undefined if nothing has changed */
    note(reading: OriginReading | 'failed' | undefined, at: Millis) {
      if (reading === 'failed') {
        readableSince = undefined;
        return;
      }
      startedAt ??= at;
      readableSince ??= at;
      if (reading === undefined) return;
      isEnded = reading.isEnded;
      for (const rendition of reading.renditions) if (!texts.has(rendition.key)) noteEdge(rendition, at);
    },
    /** @param advancedAt when the timeline last grew */
    stallAt(now: Millis, targetMs: number, advancedAt: Millis | undefined): Stall | undefined {
      if (startedAt === undefined) return undefined;
      const since = Math.max(startedAt, advancedAt ?? 0) as Millis;
      if (now - since <= stalledAfter(targetMs)) return undefined;
      if (isEnded) return { kind: 'ended', since, reason: ENDED[format] };
      const late = [...edges].filter(([, edge]) => now - edge.since > lateAfter(targetMs)).map(([key]) => key);
      // What an origin lists after a failure is on air a moment later.
      if (late.length === 0 && now - (readableSince ?? now) <= stalledAfter(targetMs)) return undefined;
      const isUnused = late.length === 0;
      const unused = edges.size === 1 ? NOT_USABLE : NOT_TOGETHER;
      const reason = isUnused ? unused : late.length === edges.size ? NOTHING_NEW : only(late);
      return { kind: 'stalled', since, reason };
    },
  };
}
