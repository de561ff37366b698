// SPDX-License-Identifier: Apache-2.0
// Replays a past break: the ad response in its record, by the rules and with the creatives of now. Nothing is recorded, and
// nothing is requested, unless the operator wants wrappers to be requested again.

import { randomInt, randomUUID } from 'node:crypto';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { requestVariables } from '../../../ads/request/requestVariables.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { AdChannel } from '../../../playback/decide/choosePod.ts';
import { DEFAULT_TIMEOUT_MS } from '../../../playback/request/requestAds.ts';
import { createWrapperFetcher } from '../../../playback/request/wrapperFetcher.ts';
import { millis } from '../../../time/units.ts';
import { type AdDifference, compareBreaks } from './compareBreaks.ts';
import { recordExchanges, type TriedExchange } from './exchangeLog.ts';
import { inspectCreatives } from './inspectedCreatives.ts';
import { type JudgedBreak, judgeBreaks, withoutRequest } from './judgeBreaks.ts';
import type { StoredBreak } from './storedBreak.ts';
import { storedOutcome } from './storedOutcome.ts';
import type { ServedLadder, TryDeps } from './tryAdRequest.ts';

export type ReplayOptions = {
  /** Seconds, and the number of ads: instead of those of then. */
  readonly breakDuration?: number;
  readonly maxAds?: number;
  /** Whether wrappers are requested again. */
  readonly isRequestingWrappers: boolean;
};

export type Replay = {
  readonly before: JudgedBreak;
  /** Absent if it is not known what the channel plays now. */
  readonly now?: JudgedBreak;
  readonly differences: readonly AdDifference[];
  /** What the replay could not take into account, in sentences. */
  readonly missing: readonly string[];
  readonly exchanges: readonly TriedExchange[];
};

/** Records of breaks without an ad request have no limits. */
function limitsOf({ limits, duration }: BreakRecord, { breakDuration, maxAds }: ReplayOptions) {
  const most = maxAds ?? limits?.maxAds;
  return {
    duration: breakDuration ?? limits?.duration ?? duration,
    ...(most === undefined ? {} : { maxAds: most }),
  };
}

/** For a late joiner, ads could fill less than the break, and started as much later; there was no intro. */
function hasBegun({ position, limits, duration, startsAt, ads, bumpers = 0 }: BreakRecord): boolean {
  if (position !== undefined || limits === undefined) return false;
  const missed = duration - limits.duration;
  const first = ads.find((ad) => ad.startsAt !== undefined)?.startsAt;
  if (first === undefined) return missed > 0;
  const before = (Date.parse(first) - Date.parse(startsAt)) / 1000;
  // The length of a live break may have changed since its ads were selected.
  return before > bumpers + TOLERANCE || (missed > 0 && Math.abs(before - missed) < TOLERANCE);
}

/** Seconds. Times are rounded to milliseconds. */
const TOLERANCE = 0.01;

/** What has changed since then that a replay of the response cannot show, in sentences. */
function notesOf(record: BreakRecord, channel: Channel, { breakDuration }: ReplayOptions): readonly string[] {
  const { limits, duration, position, ads } = record;
  const isCut = position === undefined && ads.some(({ reason }) => reason?.code === 'EARLY_RETURN');
  return [
    ...(limits === undefined && breakDuration === undefined
      ? ['The record does not state what limited the break; its length is used.']
      : []),
    ...(isCut && limits !== undefined && breakDuration === undefined
      ? [
          `The break ended after ${duration} s. It is replayed with the ${limits.duration} s for which its ads were selected.`,
        ]
      : []),
    ...(channel.type === 'vod' && channel.playlistId === undefined
      ? ['The creatives are those for the content that the channel played last, which may not be that of the session.']
      : []),
    ...(channel.adSource === undefined ? ['The channel has no adSource now, so viewers get no ads.'] : []),
  ];
}

/** @param served what the session's format plays now; undefined if that is not known */
export async function replayBreak(
  channel: Channel,
  { session, record, seen }: StoredBreak,
  served: ServedLadder | undefined,
  options: ReplayOptions,
  deps: TryDeps,
): Promise<Replay> {
  const { clock } = deps;
  const startsAt = millis(Date.parse(record.startsAt));
  const limits = limitsOf(record, options);
  const adBreak = { id: record.id, startsAt, ...limits };
  const cacheBuster = String(randomInt(10_000_000, 100_000_000));
  const variables = requestVariables(session, adBreak, { now: clock.now(), transactionId: randomUUID(), cacheBuster });
  const log = recordExchanges(deps.adServer, deps.reader, clock.timers);
  const deadline = clock.timers.elapsed() + (channel.adSource?.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const timeLeft = () => deadline - clock.timers.elapsed();
  const fetchWrapper = options.isRequestingWrappers
    ? createWrapperFetcher({ adServer: log.adServer, reader: log.reader, session, variables, timeLeft }).fetch
    : undefined;
  const stored = await storedOutcome(record, { reader: deps.reader, variables, fetchWrapper });
  const notes = [
    ...stored.missing,
    ...notesOf(record, channel, options),
    ...(seen === undefined
      ? ['What the viewer had seen in earlier breaks is not stored, so any ad may be shown.']
      : []),
  ];
  const facts = { before: withoutRequest(record), exchanges: log.exchanges };
  if (served === undefined) {
    const text = 'The channel is not on air, so it is not known what its creatives must match.';
    return { ...facts, differences: [], missing: [...notes, text] };
  }
  const creatives = deps.checked(inspectCreatives(served.ladder, deps.inspect));
  const airing: AdChannel = { channel, ladder: served.ladder };
  const toJudge = {
    id: record.id,
    startsAt,
    outcome: stored.outcome,
    isInserted: record.position !== undefined,
    ...limits,
    ...(seen === undefined ? {} : { seen }),
    ...(hasBegun(record) ? { hasBegun: true } : {}),
  };
  const [now] = await judgeBreaks(airing, [toJudge], { creatives, clock });
  return { ...facts, now: now!, differences: compareBreaks(record, now!), missing: notes };
}
