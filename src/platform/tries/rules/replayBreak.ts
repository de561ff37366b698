// SPDX-License-Identifier: Apache-2.0
// Replays a past break: the ad response in its record, by the rules and with the creatives of now. Nothing is recorded, and
// nothing is requested, unless the operator wants wrappers to be requested again.

import type { AdRecord, BreakRecord, Reason } from '../../../ads/record/breakRecord.ts';
import { requestVariables } from '../../../ads/request/requestVariables.ts';
import type { Channel } from '../../../channels/channel.ts';
import { defined, withoutUndefined } from '../../../invariant.ts';
import { channelBudget, type DemandOf, hasDemand } from '../../../playback/request/demand.ts';
import { momentOf } from '../../../playback/request/requestAds.ts';
import { createWrapperFetcher } from '../../../playback/request/wrapperFetcher.ts';
import { isBreak } from '../../../sessions/history/breakFill.ts';
import { millis } from '../../../time/units.ts';
import type { BreakReplay, JudgedAd, ReplayBody } from '../contract/tryContract.ts';
import { recordExchanges } from './exchangeLog.ts';
import { inspectCreatives, judgeBreaks, withoutRequest } from './judgeBreaks.ts';
import type { StoredBreak } from './storedBreak.ts';
import { storedOutcome } from './storedOutcome.ts';
import { storedSources } from './storedSources.ts';
import type { ServedLadder, TryDeps } from './tryAdRequest.ts';

/** @returns why there is no ad response to replay, in sentences; undefined if the record can be replayed */
export function whyNotReplayed(record: BreakRecord): string | undefined {
  const { id, request, response, reason, position, ads, sources } = record;
  if (!isBreak(record))
    return `Record "${id}" is the ad response of the whole session, not a break. Replay the breaks that it names.`;
  if (ads.some(({ outcome }) => outcome === 'stitched')) return undefined;
  if (sources !== undefined) return undefined;
  if (request === undefined)
    return `Break "${id}" has no ad response to replay, because its ads were not requested${reason === undefined ? '.' : `: ${reason.text}`}`;
  if (response === undefined && request.error === undefined && position?.origin === 'vmap')
    return `Break "${id}" was named by the ad response of the whole session, which its record does not repeat, and showed no ads that could be replayed.`;
  return undefined;
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
function notesOf({ limits, duration, position, ads }: BreakRecord, channel: Channel, isOwnLength: boolean): string[] {
  const isCut = position === undefined && ads.some(({ reason }) => reason?.code === 'EARLY_RETURN');
  const notes: string[] = [];
  if (isCut && limits !== undefined && isOwnLength)
    notes.push(
      `The break ended after ${duration} s. It is replayed with the ${limits.duration} s for which its ads were selected.`,
    );
  if (channel.type === 'vod' && channel.playlistId === undefined)
    notes.push(
      'The creatives are those for the content that the channel played last, which may not be that of the session.',
    );
  if (!hasDemand(channel)) notes.push('The channel has no ad source now, so viewers get no ads.');
  return notes;
}

/** @param served what the session's format plays now; undefined if that is not known */
export async function replayBreak(
  channel: Channel,
  { session, record, seen }: StoredBreak,
  served: ServedLadder | undefined,
  { breakDuration, maxAds = record.limits?.maxAds, wrappers }: ReplayBody,
  { adServer, reader, demandOf, inspect, checked, clock }: TryDeps & { readonly demandOf: DemandOf },
): Promise<BreakReplay> {
  const duration = breakDuration ?? record.limits?.duration ?? record.duration;
  const startsAt = millis(Date.parse(record.startsAt));
  const adBreak = { id: record.id, startsAt, duration, ...withoutUndefined({ maxAds }) };
  const variables = requestVariables(session, adBreak, momentOf(clock.now()));
  const log = recordExchanges(adServer, reader, clock.timers);
  const deadline = clock.timers.elapsed() + channelBudget(channel);
  const timeLeft = () => deadline - clock.timers.elapsed();
  const fetchWrapper =
    wrappers === 'request'
      ? createWrapperFetcher({ adServer: log.adServer, reader: log.reader, session, variables, timeLeft }).fetch
      : undefined;
  const demand = await demandOf(channel);
  const replayed = { reader, variables, fetchWrapper };
  const { sources } = record;
  const stored = await (sources === undefined
    ? storedOutcome(record, replayed)
    : storedSources({ ...record, sources }, adBreak, session, demand, replayed));
  const missing = [...stored.missing, ...notesOf(record, channel, breakDuration === undefined)];
  if (seen === undefined)
    missing.push('What the viewer had seen in earlier breaks is not stored, so any ad may be shown.');
  const before = withoutRequest(record);
  if (served === undefined) {
    missing.push('The channel is not on air, so Midroll cannot determine what its creatives must match.');
    return { before, differences: [], missing, exchanges: log.exchanges };
  }
  const facts = { outcome: stored.outcome, isInserted: record.position !== undefined, hasBegun: hasBegun(record) };
  const toJudge = { ...adBreak, ...facts, ...withoutUndefined({ seen }) };
  const creatives = checked(inspectCreatives(served.ladder, inspect));
  const [judged] = await judgeBreaks({ channel, ladder: served.ladder }, [toJudge], { creatives, clock });
  const now = defined(judged, 'each break is judged');
  return { before, now, differences: compareBreaks(record.ads, now.ads), missing, exchanges: log.exchanges };
}

// What a break showed, compared with what it would show now, ad by ad.

type Difference = BreakReplay['differences'][number];
type Side = NonNullable<Difference['before']>;
type Keyed<Ad> = { readonly key: string; readonly adId: string; readonly ad: Ad };

/** Ads of a response may have the same id, or none: then their titles and their order distinguish them. */
function keyed<Ad extends { readonly title?: string }>(
  ads: readonly Ad[],
  idOf: (ad: Ad) => string,
): readonly Keyed<Ad>[] {
  const counts = new Map<string, number>();
  return ads.map((ad) => {
    const name = JSON.stringify([idOf(ad), ad.title ?? '']);
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return { key: `${name} ${count}`, adId: idOf(ad), ad };
  });
}

/** A shown ad has an id of its own in the record, and that of the ad server in its VAST. */
const idThen = ({ outcome, adId, vast }: AdRecord): string => (outcome === 'stitched' ? (vast?.id ?? adId) : adId);

const sideOf = ({ outcome, reason }: Side): Side => ({ outcome, ...(reason === undefined ? {} : { reason }) });

const whatWas: Readonly<Record<string, string>> = {
  CREATIVE_PREPARING: 'Its creative was not ready then',
  CREATIVE_FAILED: 'Its creative had failed then',
  BREAK_DURATION_EXCEEDED: 'It was longer than the time that was left then',
  MAX_ADS_REACHED: 'The break had reached its number of ads then',
  BREAK_FULL: 'The break was full then',
  CREATIVE_REPEATED: 'Its creative was in the break already',
  SHOWN_LATELY: 'The viewer had seen it shortly before',
  FALLBACK_NOT_NEEDED: 'An earlier ad of its waterfall was shown then',
  NO_MEDIA_FILE: 'It had no media file for the ladder of the channel then',
  EARLY_RETURN: 'It was selected then, but the break ended before it',
};

const pastOf = (reason: Reason | undefined): string =>
  reason === undefined ? 'It was skipped then' : (whatWas[reason.code] ?? `It was skipped then with ${reason.code}`);

function changeOf(then: Side, now: Side): Pick<Difference, 'change' | 'text'> {
  const [wasShown, isShown] = [then.outcome === 'stitched', now.outcome === 'stitched'];
  if (wasShown && isShown) return { change: 'same' };
  // An ad that an early return left out was selected like those that were shown.
  if (!wasShown && then.reason?.code === 'EARLY_RETURN')
    return isShown
      ? { change: 'same', text: `${pastOf(then.reason)}.` }
      : { change: 'skippedNow', text: `${pastOf(then.reason)}. Now: ${now.reason?.text ?? 'It would be skipped.'}` };
  if (isShown) return { change: 'playsNow', text: `${pastOf(then.reason)}; it would be shown now.` };
  const present = now.reason?.text ?? 'It would be skipped.';
  if (wasShown) return { change: 'skippedNow', text: `It was shown then. Now: ${present}` };
  if (then.reason?.code === now.reason?.code) return { change: 'same' };
  return { change: 'otherReason', text: `${pastOf(then.reason)}. Now: ${present}` };
}

/** @returns the ads of the record in its order, then those that it does not contain */
export function compareBreaks(then: readonly AdRecord[], now: readonly JudgedAd[]): readonly Difference[] {
  const present = keyed(now, ({ adId }) => adId);
  const past = keyed(then, idThen);
  const titleOf = ({ title }: { readonly title?: string }) => withoutUndefined({ title });
  const differences = past.map(({ key, adId, ad }): Difference => {
    const found = present.find((one) => one.key === key)?.ad;
    const facts = { adId, ...titleOf(ad), before: sideOf(ad) };
    if (found === undefined)
      return { ...facts, change: 'notReplayed', text: 'It is not in what is stored of the response.' };
    return { ...facts, now: sideOf(found), ...changeOf(ad, found) };
  });
  const known = new Set(past.map(({ key }) => key));
  const added = present
    .filter(({ key }) => !known.has(key))
    .map(({ adId, ad }): Difference => {
      const text = 'It was not in the record of the break.';
      return { adId, ...titleOf(ad), now: sideOf(ad), change: 'added', text };
    });
  return [...differences, ...added];
}
