// SPDX-License-Identifier: Apache-2.0
// The rules by which a keeper of feeds makes timelines of readings.
import { alignOptionsOf } from '../live/align/alignOptions.ts';
import { awayEntry } from '../live/align/away/awayEntry.ts';
import { beginAnew, nextEntry } from '../live/align/nextEntry.ts';
import { type Tail, tailAfter } from '../live/align/tail.ts';
import type { LiveFeed } from '../live/feed.ts';
import { applyEntry } from '../live/programme/applyEntry.ts';
import { checkpointOf } from '../live/programme/checkpoint.ts';
import { listEdge } from '../live/programme/liveProgramme.ts';
import { breakMillis, type LiveState } from '../live/programme/liveState.ts';
import { rejoinLog, splitEntry } from '../live/programme/splitEntry.ts';
import type { EntryFrame, LiveRules } from '../live/slot.ts';
import type { LiveFeedRules } from '../playback/live/feedRules.ts';
import type { Standing } from '../playback/live/origins/feedReading.ts';

/** The tail of a log, and the state after it: a checkpoint is written with each entry. */
export type LogTail = { readonly aligned: Tail | undefined; readonly state: LiveState };

export const standingOf = (tail: Tail | undefined): Standing =>
  tail === undefined
    ? { isAway: false }
    : {
        source: tail.source,
        isAway: tail.awaySince !== undefined,
        contentAt: tail.contentAt,
        since: tail.onAirSince,
        reason: tail.awayReason,
      };

type Given = {
  readonly initial: (feed: LiveFeed) => LiveState;
  readonly rulesOf: (feed: LiveFeed) => LiveRules;
  /** Milliseconds of the timeline that windows may list. */
  readonly windowMillis: (feed: LiveFeed) => number;
};

export const stamped =
  ({ rulesOf }: Pick<Given, 'rulesOf'>) =>
  (state: LiveState, frame: Omit<EntryFrame, 'rules' | 'checkpoint'>, feed: LiveFeed): EntryFrame => {
    const checkpoint = checkpointOf(state);
    return { ...frame, rules: rulesOf(feed), ...(checkpoint && { checkpoint }) };
  };

export function liveRules(
  given: Given,
): Omit<LiveFeedRules<LiveState, LogTail>, 'ordered' | 'keepMillis' | 'visibleDelay'> {
  const { initial, windowMillis } = given;
  const framed = stamped(given);
  const optionsOf = (feed: LiveFeed) => alignOptionsOf(feed, windowMillis(feed));
  return {
    initial,
    apply: applyEntry,
    list: listEdge,
    rejoin: (state, log, entry) => rejoinLog(state, log.state, entry),
    split: (tail, entry) => splitEntry(tail.state, entry),
    startOf: (feed) => ({ aligned: undefined, state: initial(feed) }),
    nextEntry: ({ aligned, state }, reading, frame, feed) =>
      nextEntry(aligned, reading, framed(state, frame, feed), optionsOf(feed)),
    standing: ({ aligned }) => standingOf(aligned),
    awayEntry({ aligned, state }, reading, frame, feed, reason) {
      const options = { ...optionsOf(feed), rungs: feed.rungs.length, reason };
      return awayEntry(aligned, reading, framed(state, frame, feed), options);
    },
    tailAfter({ aligned, state }, entry) {
      const isFirst = aligned === undefined && entry.slots.length === 0;
      return { aligned: isFirst ? undefined : tailAfter(aligned, entry), state: applyEntry(state, entry) };
    },
    beginAnew: ({ aligned, state }, reading, frame, feed) =>
      aligned && beginAnew(aligned, reading, framed(state, frame, feed), optionsOf(feed)),
    breakMillis,
  };
}
