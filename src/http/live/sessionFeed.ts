// SPDX-License-Identifier: Apache-2.0
// What the feeds read of a session, whichever kind of channel it belongs to.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import { createPlayerBreaks } from '../../playback/decide/playerBreaks.ts';
import type { Airing } from '../../playback/onAir/airing.ts';
import { availsOf, scheduledBreaks } from '../../playback/view/availsOf.ts';
import { depthOf } from '../../playback/view/view.ts';
import type { VodViewer } from '../../playback/vod/vodViewer.ts';
import type { SessionState, SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import type { Avail, FeedOptions } from '../../tracking/feed/feed.ts';
import { nearestBreak } from '../../tracking/feed/podVast.ts';
import type { Presentation } from '../../vod/layOut.ts';
import { airingOf } from './findViewer.ts';
import type { PlayerDeps } from './playerRequest.ts';

type Format = Session['format'];

export type SessionFeed = {
  readonly session: Session;
  readonly channel: Channel;
  /** For `checkFormat`. */
  readonly shown: Pick<Airing, 'ladder' | 'signalling' | 'serves'>;
  /** The records of the session's breaks, oldest first. */
  readonly records: () => Promise<readonly BreakRecord[]>;
  readonly avails: (records: readonly BreakRecord[], format: Format) => Avail[];
  /** Of these records, the breaks that VAST without an ad's id lists. */
  readonly near: (records: readonly BreakRecord[]) => readonly BreakRecord[];
  /** The zero of the times in the feed, which depends on the format, and which side sends beacons. */
  readonly options: (format: Format) => FeedOptions;
  /** VoD: the first page contains all breaks. */
  readonly isWhole: boolean;
};

type PlayerBreaks = ReturnType<typeof createPlayerBreaks>;

function liveFeed(state: SessionState, airing: Airing, playerBreaks: PlayerBreaks, deps: PlayerDeps): SessionFeed {
  const { session } = state;
  const { channel, programme } = airing;
  const { tracking } = channel;
  return {
    session,
    channel,
    shown: airing,
    isWhole: false,
    records: async () => scheduledBreaks(airing, state, await playerBreaks(state)),
    avails: (records, format) => availsOf(airing, state, records, deps.now(), format),
    near(records) {
      const now = programme.edgeAt(deps.now());
      const found = nearestBreak(records, now, depthOf(state, airing, now));
      return found === undefined ? [] : [found];
    },
    options(format) {
      if (format === 'dash') {
        const availabilityStart = millis(programme.startedAt + programme.lag);
        return { tracking, zero: programme.startedAt, availabilityStart };
      }
      const { zero } = session;
      return zero === undefined
        ? { tracking, zero: session.openedAt }
        : { tracking, zero: zero.at, anchor: zero.number };
    },
  };
}

/** Ids of breaks are those of manifests: in HLS media sequence numbers, in DASH ids of Periods. */
function vodFeed(
  { session, title }: VodViewer,
  { breaks, spans }: Presentation,
  channel: Channel,
  playerBreaks: PlayerBreaks,
): SessionFeed {
  const decisions = breaks.map(({ id, streamTime }) => ({ breakId: id, startsAt: streamTime }));
  const { tracking } = channel;
  const zero = session.openedAt;
  return {
    session,
    channel,
    shown: title,
    isWhole: true,
    records: () => playerBreaks({ session, decisions }),
    avails: (records, format) =>
      records.flatMap((record): Avail[] => {
        const first = spans.find(({ within }) => within?.id === record.id);
        return first === undefined ? [] : [{ availId: format === 'hls' ? String(first.numbers[0]) : first.id, record }];
      }),
    near: (records) => records,
    options: (format) => (format === 'hls' ? { tracking, zero, anchor: 0 } : { tracking, zero }),
  };
}

/** @returns a function that finds the feed of a session; `channelId` must be its channel if it is given */
export function createSessionFeeds(deps: PlayerDeps & { readonly sessions: SessionStore }) {
  const playerBreaks = createPlayerBreaks(deps.sessions);
  return async (id: string, channelId?: string): Promise<SessionFeed> => {
    const missing = new AppError('NOT_FOUND', `Session "${id}" not found.`);
    const state = await deps.sessions.find(id);
    if (state === undefined || (channelId !== undefined && state.session.channelId !== channelId)) throw missing;
    const { tenant, channelId: ofChannel, life } = state.session;
    const enabled = deps.airings.find({ tenant, id: ofChannel });
    if (enabled?.channel.type === 'vod') {
      const { channel } = enabled;
      const viewer = await deps.vod.presentations.find(channel, id);
      if (viewer === undefined) throw missing;
      // Waits until the ads of the session are decided.
      return vodFeed(viewer, await deps.vod.presentations.settled(channel, viewer), channel, playerBreaks);
    }
    const airing = airingOf(enabled, ofChannel);
    if (airing.life !== life) throw missing;
    return liveFeed(state, airing, playerBreaks, deps);
  };
}
