// SPDX-License-Identifier: Apache-2.0
// The breaks that guided viewers of a channel are shown, and the break of one of them, which is decided when its ads are requested.
import { breakClips, type ClipMaker } from '../../ads/placement/breakClips.ts';
import { placeBreak } from '../../ads/placement/personalise.ts';
import { sharedTrackedClip } from '../../ads/placement/trackedClip.ts';
import { memo, noMemos } from '../../cache/memo.ts';
import type { Channel } from '../../channels/channel.ts';
import { JOIN_BREAK_ID } from '../../live/programme/joinBreak.ts';
import type { OnAirSession } from '../../sessions/session.ts';
import { flicksToMillis, type Millis, millis, secondsToFlicks } from '../../time/units.ts';
import type { Sound } from '../../timeline/asset/audioJoin.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type BreakPlace, type BreakSpan, place, placeOf, type Span, spanEnd } from '../../timeline/programme/span.ts';
import type { Presentation } from '../../vod/layOut.ts';
import { type Airing, createPlacements } from '../onAir/airing.ts';
import { channelBudget } from '../request/demand.ts';
import { type ChannelView, channelBreaks } from '../view/channelView.ts';
import { DECISION_TIMEOUT_MS, joinBreak, type OwnBreak } from '../viewers/breaks.ts';
import { spanOf } from '../viewers/choicesOf.ts';
import type { Viewer } from '../viewers/viewers.ts';

/**
 * The breaks that a view lists, the same for all guided viewers. A break is announced with the last segment before it. hls.js 1.7
 * hangs at an interstitial that starts in no segment that it knows when it first reads of it, and one whose start it has buffered
 * already, it plays late. A break is listed as long as a segment that starts in it is, which may end later.
 */
export function guidedBreaks({ airing, from, to, now }: ChannelView): readonly BreakSpan[] {
  const until = from - 1000 * airing.ladder.targetDuration;
  return channelBreaks(airing, now).filter((span) => {
    const { startsAt, duration } = placeOf(span);
    return startsAt <= to && Math.max(spanEnd(span), startsAt + flicksToMillis(duration)) > until;
  });
}

/** The ads before the content that each viewer who joins may have. */
export const prerollOf = ({ channel }: Airing): Pick<BreakPlace, 'id' | 'duration'> | undefined =>
  channel.type === 'live' && channel.preroll
    ? { id: JOIN_BREAK_ID, duration: secondsToFlicks(channel.preroll.maxDuration) }
    : undefined;

/**
 * The break whose ads a guided viewer requests: always the whole of it, whenever its player joins.
 * @returns undefined if the channel has no such break now
 */
export function requestedBreak(airing: Airing, session: OnAirSession, breakId: string, now: Millis) {
  const { programme } = airing;
  const join = joinBreak(session, programme);
  if (join?.span.break.id === breakId) return join;
  const span = channelBreaks(airing, now).find((one) => one.break.id === breakId);
  return span && wholeBreak(span, programme);
}

function wholeBreak(span: BreakSpan, { listedAt }: Pick<Programme, 'listedAt'>): OwnBreak {
  const { startsAt } = placeOf(span);
  return { span, joined: 0, startsAt, due: listedAt(startsAt) };
}

/** Time to choose and fit ads after the response of the ad server. */
const CHOOSE_MS = 1500;
/** hls.js waits 10 s for the first byte of a list. */
const PATIENCE_MS = 8000;

/** Until when the ads of a requested break are decided: creatives that are being prepared have until the break, if that is soon. */
export function deadlineOfRequest(channel: Channel, { due }: OwnBreak, now: Millis): Millis {
  const needed = Math.max(DECISION_TIMEOUT_MS, channelBudget(channel) + CHOOSE_MS);
  return millis(Math.min(now + PATIENCE_MS, Math.max(now + needed, due)));
}

/**
 * Of clips that a player plays on their own: their audio starts and ends with the picture. hls.js 1.7 hangs at the end of an
 * interstitial whose media are 25 ms longer than its list says, Shaka Player 5.2 at one whose audio is shorter.
 */
const soundApart = (ladder: Ladder): Sound => ({ leads: ladder.rungs.map(() => 0) });

const apart = memo((airing: Airing): Airing => {
  const { clips, ladder } = airing;
  const sound = soundApart(ladder);
  return {
    ...airing,
    clips: {
      ...clips,
      ad: (id, frames) => clips.ad(id, frames, sound),
      slate: (id, frames, shown) => clips.slate(id, frames, shown, sound),
    },
    placements: createPlacements(),
  };
});

/**
 * The clips of a break of a viewer, in playing order; undefined if it is not decided, or forgotten. They are the same when a live break
 * ends early: its tag limits what is played of them. A break on air is never without clips, because players lose their place at an
 * empty list: also where content would fill it, it is slate.
 */
export function podOf(airing: Airing, { state }: Viewer, breakId: string): readonly Span[] | undefined {
  const decision = state.decisions.find((one) => one.breakId === breakId && !one.isVoid);
  const own = apart(airing);
  const span = decision && spanOf(own, state.session, decision);
  if (decision === undefined || span === undefined) return undefined;
  const { slateId, frames } = span.break;
  const isStored = decision.ads.every(({ mediaId }) => own.hasMedia(mediaId));
  const clips = isStored
    ? breakClips(decision, span.break, own.clips)
    : [{ at: 0, clip: own.clips.slate(slateId, frames) }];
  const { start } = span.placed;
  return placeBreak(span, clips, own.ladder.frameRate, (key, make) =>
    own.placements.shareSpan(`${start.millis}.${start.rest} ${key}`, make),
  );
}

/** The same of a VoD session; empty without ads, because the content goes on then. */
export function filmPodOf(clips: ClipMaker, { breaks, spans }: Presentation, breakId: string): Span[] {
  const shown = breaks.find(({ id }) => id === breakId)?.shown ?? [];
  const own = spans.filter(({ within }) => within?.id === breakId);
  return shown.flatMap((piece, index) => {
    const span = own[index];
    if (span === undefined) return [];
    const clip = clips.ad(piece.mediaId, piece.frames, soundApart(clips.ladder));
    const placed = place('adId' in piece ? sharedTrackedClip(clip, piece) : clip, span.placed.start);
    return [{ ...span, placed, memos: noMemos() }];
  });
}
