// SPDX-License-Identifier: Apache-2.0
// What a viewer with this ladder would be shown in a break now, by the rules that decide a viewer's break: the choice of media
// files, the states of creatives, and the fill. Nothing is recorded.

import { bumperFrames } from '../../../ads/pod/fitPod.ts';
import { seenBefore } from '../../../ads/pod/recentAds.ts';
import type { AdRecord, AdRequestOutcome, BreakOutcome, BreakRecord } from '../../../ads/record/breakRecord.ts';
import type { BreakRecordParts } from '../../../ads/record/buildBreakRecord.ts';
import { buildBreakRecord, seconds } from '../../../ads/record/buildBreakRecord.ts';
import { maskUrl } from '../../../ads/request/maskSecrets.ts';
import type { TriedCandidate } from '../../../playback/decide/candidates.ts';
import type { AdChannel } from '../../../playback/decide/choosePod.ts';
import { awaitCreatives, channelBumpers, choosePod, shownIn } from '../../../playback/decide/choosePod.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { flicks, millis } from '../../../time/units.ts';
import { secondsToFrames } from '../../../timeline/asset/frameGrid.ts';
import type { InspectedCreatives } from './inspectedCreatives.ts';

/** `absent`: it would have to be made. `none`: there is no media file. `unknown`: its state could not be read in time. */
export type JudgedState = 'ready' | 'making' | 'waiting' | 'absent' | 'failed' | 'none' | 'unknown';

/** `adId` is the ad server's id. */
export type JudgedAd = Omit<AdRecord, 'vast' | 'assetUrl'> & {
  /** The media file that would be used, with secrets masked. */
  readonly mediaFile?: string;
  /** Absent for an ad that was skipped before its creative was considered. */
  readonly creativeState?: JudgedState;
};

/** A record without the request and its response. */
export type JudgedBreak = Omit<
  BreakRecord,
  'ads' | 'tracking' | 'request' | 'response' | 'wrappers' | 'prefetched' | 'requestedAt'
> & { readonly ads: readonly JudgedAd[] };

/** A stored record as a judged one. */
export function withoutRequest(record: BreakRecord): JudgedBreak {
  const { request: _, response: __, wrappers: ___, tracking: ____, prefetched, requestedAt, ads, ...rest } = record;
  return { ...rest, ads: ads.map(({ vast: _vast, assetUrl: _url, ...ad }) => ad) };
}

/** A break whose ads are known. */
export type BreakToJudge = {
  readonly id: string;
  readonly startsAt: Millis;
  readonly outcome: BreakOutcome & Partial<AdRequestOutcome>;
  /** Seconds that ads and bumpers may fill. */
  readonly duration: number;
  readonly maxAds?: number;
  /** On demand: the break is as long as its ads. */
  readonly isInserted: boolean;
  /** A late joiner's break: no intro. */
  readonly hasBegun?: boolean;
  /** What the viewer saw before (ads/pod/recentAds.ts). */
  readonly seen?: string;
};

/** The time to read the states of all creatives of a break. */
const INSPECTION_MS = 5_000;

export type JudgeDeps = { readonly creatives: InspectedCreatives; readonly clock: Clock };

/** The bumpers of a channel as they are now. */
export async function inspectBumpers(channel: AdChannel, hasBegun: boolean, creatives: InspectedCreatives) {
  const { intro, outro } = channel.channel.bumpers ?? {};
  await creatives.inspect([intro, outro].filter((url) => url !== undefined));
  return channelBumpers(channel, hasBegun, creatives);
}

/** Seconds that bumpers take from a break. */
export const bumperSeconds = ({ ladder }: AdChannel, { bumpers }: Awaited<ReturnType<typeof inspectBumpers>>): number =>
  seconds(bumperFrames(bumpers), ladder.frameRate);

function stateOf({ candidate }: TriedCandidate): JudgedState {
  const { creative } = candidate();
  return creative.state === 'preparing' ? (creative.stage ?? 'unknown') : creative.state;
}

/** In the order of the record: those that are shown, those that were skipped, and those without a creative. */
function judgedAds({ ads }: BreakRecord, { pod }: BreakRecordParts, tried: readonly TriedCandidate[]): JudgedAd[] {
  const shown = (pod?.ads ?? []).map(({ candidate }) => candidate);
  const skipped = (pod?.outcomes ?? []).flatMap(({ outcome }, index) => (outcome === 'skipped' ? [index] : []));
  const order = [...shown, ...skipped];
  return ads.map(({ vast: _, assetUrl: __, ...ad }, index) => {
    const one = tried[order[index] ?? -1];
    if (one === undefined) return ad;
    const { assetUrl } = one;
    const creativeState = stateOf(one);
    const adId = one.ad.id ?? '';
    return { ...ad, adId, creativeState, ...(assetUrl === undefined ? {} : { mediaFile: maskUrl(assetUrl) }) };
  });
}

/** @param breaks in playing order; later ones prefer ads that are not in earlier ones */
export async function judgeBreaks(
  channel: AdChannel,
  breaks: readonly BreakToJudge[],
  { creatives, clock }: JudgeDeps,
): Promise<readonly JudgedBreak[]> {
  const { now, timers } = clock;
  const rate = channel.ladder.frameRate;
  const closeAt = millis(now() + INSPECTION_MS);
  const tried = await Promise.all(
    breaks.map(({ outcome }) => awaitCreatives(channel, { outcome, closeAt }, { library: creatives, now, timers })),
  );
  const bumpers = await inspectBumpers(channel, breaks[0]?.hasBegun === true, creatives);
  const before: { startsAt: number; ads: ReturnType<typeof shownIn>['ads'] }[] = [];
  return breaks.map((one, index) => {
    const { id, startsAt, outcome, duration, maxAds, isInserted } = one;
    const breakFrames = secondsToFrames(duration, rate);
    const limits = { breakFrames, ...(isInserted ? { isInserted } : {}), ...(maxAds === undefined ? {} : { maxAds }) };
    const seen = one.seen ?? seenBefore(before, index);
    const { parts } = choosePod(channel, limits, { outcome, bumpers: bumpers.bumpers, seen }, tried[index]!);
    const { ads } = shownIn(id, parts);
    if (ads.length > 0) before.push({ startsAt: index, ads });
    const showsContent = channel.channel.type === 'live' && channel.channel.breakFill === 'content';
    const start = { millis: startsAt, rest: flicks(0) };
    const place = { id, start, rate, showsContent, ...(isInserted ? {} : { frames: breakFrames }) };
    const warnings = [...bumpers.warnings, ...outcome.warnings];
    const record = buildBreakRecord(place, { ...parts, warnings });
    return { ...withoutRequest(record), ads: judgedAds(record, parts, tried[index]!) };
  });
}
