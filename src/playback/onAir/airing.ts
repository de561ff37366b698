// A channel as playback sees it: loaded once for all of its viewers, and replaced when its programme changes.
import { breakClips, type ClipMaker } from '../../ads/placement/breakClips.ts';
import type { Decision } from '../../ads/placement/decision.ts';
import { placeBreak } from '../../ads/placement/personalise.ts';
import type { Channel } from '../../channels/channel.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { Signalling } from '../../channels/signalling.ts';
import type { Ladder } from '../../timeline/ladder.ts';
import type { Programme } from '../../timeline/programme.ts';
import type { Span } from '../../timeline/span.ts';

export type Airing = {
  readonly channel: Channel;
  readonly life: string;
  readonly ladder: Ladder;
  /** The ladder with what its multivariant playlist promises: enough for all content and ads. */
  readonly declared: Ladder;
  readonly programme: Programme;
  readonly signalling: Signalling;
  readonly clips: ClipMaker;
  readonly placements: Placements;
  /** Whether conditioned media are still on the shelf. */
  readonly hasMedia: (mediaId: string) => boolean;
};

/** An enabled channel. */
export type EnabledChannel = {
  readonly channel: Channel;
  /** Absent while there is nothing to show yet. */
  readonly airing?: Airing;
  /** Why there is none, for whoever holds the channel's key. */
  readonly reason?: () => string;
};

export type Airings = {
  /** undefined when the channel does not exist or is disabled. */
  find(channel: ChannelRef): EnabledChannel | undefined;
  /** Enabled channels with this id: one of each tenant at most. */
  named(channelId: string): readonly EnabledChannel[];
  /**
   * Looks whether there is something that this process has not heard of yet; true when there was. It sees all that was
   * stored before it was called. Those who call within a moment share a look.
   */
  refreshOnMiss(): Promise<boolean>;
};

/** Spans of decided breaks, made once for all viewers who see the same there. */
export type Placements = { share(key: string, make: () => Span): Span };

/** The spans that a decision puts in place of a break. */
export function placeDecision(airing: Airing, span: Span, decision: Decision): Span[] {
  const clips = breakClips(decision, span.break!, airing.clips);
  return placeBreak(span, clips, airing.ladder.frameRate, airing.placements.share);
}
