// SPDX-License-Identifier: Apache-2.0
// A channel on air as playback uses it: loaded once for all of its viewers, replaced when its programme changes.
import { breakClips, type ClipMaker } from '../../ads/placement/breakClips.ts';
import type { Decision } from '../../ads/placement/decision.ts';
import { keyOfClip, type Placement, placeBreak, shiftOf } from '../../ads/placement/personalise.ts';
import { placeLiveBreak } from '../../ads/placement/placeLiveBreak.ts';
import { memo } from '../../cache/memo.ts';
import { flat } from '../../cache/sharedText.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import type { Channel } from '../../channels/channel.ts';
import type { OnAirSession, Session } from '../../sessions/session.ts';
import type { Signalling } from '../../timeline/ladder/formatFault.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import type { BreakSpan, Span } from '../../timeline/programme/span.ts';

export type Airing = {
  readonly channel: Channel;
  readonly life: string;
  readonly ladder: Ladder;
  /** The ladder as the multivariant playlist declares it, with bandwidths that cover all content and ads. */
  readonly declared: Ladder;
  readonly programme: Programme;
  readonly signalling: Signalling;
  readonly clips: ClipMaker;
  readonly placements: Placements;
  /** Live: the formats that the origin allows. */
  readonly serves?: 'hls' | 'dash' | 'both';
  /** Live: the target duration, in seconds, of a session that is opened now. */
  readonly targetToOpen?: () => number;
  /** Whether a conditioned creative is still stored. */
  readonly hasMedia: (mediaId: string) => boolean;
};

const withTarget = memo((_airing: Airing) => new Map<number, Airing>());

/**
 * An airing with the target duration of a session: an origin may list longer segments than when it went on air, and the target
 * duration of a playlist never changes (law 4).
 */
export function airingOfSession(airing: Airing, { reach }: Pick<OnAirSession, 'reach'>): Airing {
  const { targetDuration } = reach;
  if (targetDuration === undefined) return airing;
  const known = withTarget(airing).get(targetDuration);
  if (known !== undefined) return known;
  const own: Airing = { ...airing, ladder: { ...airing.ladder, targetDuration } };
  withTarget(airing).set(targetDuration, own);
  return own;
}

export type EnabledChannel = {
  readonly channel: Channel;
  /** Absent until the channel is on air. */
  readonly airing?: Airing | undefined;
  /** Live: what DASH sessions play, if that is not `airing`. */
  readonly dashAiring?: Airing | undefined;
  /** Live: its feeds, which are idle without viewers. */
  readonly live?: LiveAccess;
  /** Why there is none, in sentences for holders of the channel's key. */
  readonly reason?: () => string;
};

type LiveAccess = {
  /** The life of the feed that sessions of a format play; undefined if there is none. */
  lifeFor(format: Session['format']): string | undefined;
  /** What makes the ads of each feed, also while it is idle. */
  readonly media: readonly Pick<Airing, 'ladder' | 'clips' | 'hasMedia' | 'serves'>[];
  /** Whether all of its feeds are in memory. */
  isAwake(): boolean;
  /**
   * Undefined if this process knows what the others show. Otherwise, after it was suspended for example, resolves when it does,
   * or when the store does not respond.
   */
  catchUp(): Promise<void> | undefined;
  has(life: string): boolean;
  /**
   * Keeps a feed in use. Every request of a viewer calls it.
   * @returns a promise while the feed is loaded; `airing` is set when it resolves
   * @throws {AppError} UNAVAILABLE if neither the log nor the origin can be read
   */
  use(life: string): Promise<void> | undefined;
};

/** Decided breaks, placed once for all viewers with the same ads; on a live channel span by span, as their ends become known. */
export type Placements = {
  shareBreak(key: string, make: () => Placement): Placement;
  shareSpan(key: string, make: () => Span): Span;
  size(): number;
};

export function createPlacements(): Placements {
  const [shareBreak, shareSpan] = [weakValueCache<string, Placement>(), weakValueCache<string, Span>()];
  return { shareBreak, shareSpan, size: () => shareBreak.size() + shareSpan.size() };
}

/** What replaces a break after a decision, and how it moves the sequence numbers after it. */
export function placeDecision(airing: Airing, span: BreakSpan, decision: Decision): Placement {
  const { clips, ladder, placements } = airing;
  const rate = ladder.frameRate;
  if (span.break.live !== undefined)
    return placeLiveBreak(span, span.break, decision, { clips, rate, share: placements.shareSpan });
  const own = breakClips(decision, span.break, clips);
  const key = own.reduce((before, one) => before + keyOfClip(one), span.id);
  return placements.shareBreak(flat(key), () => {
    const shift = shiftOf(
      span.placed.clip,
      own.map(({ clip }) => clip),
    );
    return { spans: placeBreak(span, own, rate), shift };
  });
}
