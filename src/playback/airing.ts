// A channel as playback sees it: compiled once for all of its viewers, replaced when an edition is appended.
import { type BreakClip, breakClips, type ClipMaker } from '../ads/breakClips.ts';
import type { Decision } from '../ads/decision.ts';
import type { Channel } from '../channels/channel.ts';
import type { Lineup } from '../channels/lineup.ts';
import { framesToFlicks } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { after, type Placed, type Span } from '../timeline/span.ts';

export type Airing = {
  readonly channel: Channel;
  readonly life: string;
  readonly ladder: Ladder;
  readonly lineup: Lineup;
  readonly clips: ClipMaker;
  /** Keeps what viewers share: a clip of a break at an instant, made once for all who see it there. */
  readonly placements: Placements;
};

export type Airings = {
  /** undefined when the channel does not exist, is disabled, or has nothing to show yet (`why` says which). */
  find(channelId: string): Airing | undefined;
  why(channelId: string): string | undefined;
};

export type Placements = { share(key: string, make: () => Placed): Placed };

/** The clips of a decided break, on the clock, shared with every viewer whose break is made of the same. */
export function placeBreak(airing: Airing, span: Span, decision: Decision): { placed: Placed[]; clips: BreakClip[] } {
  const { id } = span.break!;
  const clips = breakClips(decision, span.break!, airing.clips);
  const placed = clips.map(({ at, clip }) =>
    airing.placements.share(`${id} ${at} ${clip.asset.id} ${clip.duration}`, () => ({
      clip,
      start: after(span.placed.start, framesToFlicks(at, airing.ladder.frameRate)),
    })),
  );
  return { placed, clips };
}
