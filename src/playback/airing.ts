// A channel as playback sees it: compiled once for all of its viewers, replaced when an edition is appended.
import { breakClips, type ClipMaker } from '../ads/breakClips.ts';
import type { Decision } from '../ads/decision.ts';
import { placeBreak } from '../ads/personalise.ts';
import type { Channel } from '../channels/channel.ts';
import type { Lineup } from '../channels/lineup.ts';
import type { Ladder } from '../timeline/ladder.ts';
import type { Span } from '../timeline/span.ts';

export type Airing = {
  readonly channel: Channel;
  readonly life: string;
  readonly ladder: Ladder;
  /** The ladder with what its multivariant playlist promises: enough for all content and ads. */
  readonly declared: Ladder;
  readonly lineup: Lineup;
  readonly clips: ClipMaker;
  readonly placements: Placements;
};

export type Airings = {
  /** undefined when the channel does not exist, is disabled, or has nothing to show yet (`why` says which). */
  find(channelId: string): Airing | undefined;
  why(channelId: string): string | undefined;
};

/** Spans of decided breaks, made once for all viewers who see the same there. */
export type Placements = { share(key: string, make: () => Span): Span };

/** The spans that a decision puts in place of a break. */
export function placeDecision(airing: Airing, span: Span, decision: Decision): Span[] {
  const clips = breakClips(decision, span.break!, airing.clips);
  return placeBreak(span, clips, airing.ladder.frameRate, airing.placements.share);
}
