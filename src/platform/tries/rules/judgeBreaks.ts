// SPDX-License-Identifier: Apache-2.0
// What a viewer with this ladder would be shown in a break now, by the rules that decide a viewer's break: the choice of media
// files, the states of creatives, and the fill. Nothing is recorded.

import type { CreativeLookup, CreativeState } from '../../../ads/creative/creative.ts';
import { seenBefore } from '../../../ads/pod/recentAds.ts';
import type { AdRequestOutcome, BreakOutcome, BreakRecord } from '../../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord } from '../../../ads/record/buildBreakRecord.ts';
import { showAd } from '../../../ads/record/showAd.ts';
import { maskUrl } from '../../../ads/request/maskSecrets.ts';
import type { TriedCandidate } from '../../../playback/decide/candidates.ts';
import {
  type AdChannel,
  awaitCreatives,
  choosePod,
  readyBumpers,
  shownIn,
} from '../../../playback/decide/choosePod.ts';
import type { Clock } from '../../../time/clock.ts';
import { flicks, type Millis, millis } from '../../../time/units.ts';
import { secondsToFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { JudgedAd, JudgedBreak } from '../contract/tryContract.ts';

// Creatives as a try or a replay looks them up: their states are those of now, and nothing is waited for. Nothing is requested
// either, unless the operator wants it.

/** Reads the state of a creative without requesting it. */
export type InspectCreative = (key: string, ladder: Ladder) => Promise<CreativeState>;

export type InspectedCreatives = CreativeLookup & {
  /** Reads states ahead, so that `prepare` returns them. */
  inspect(keys: readonly string[]): Promise<void>;
};

/**
 * For one ladder, because states are kept by key.
 * @param queue requests creatives; without it nothing is requested
 */
export function inspectCreatives(
  ladder: Ladder,
  inspect: InspectCreative,
  queue?: CreativeLookup['prepare'],
): InspectedCreatives {
  const known = new Map<string, CreativeState>();
  const queued = new Set<string>();

  async function read(key: string): Promise<CreativeState> {
    const state = known.get(key) ?? (await inspect(key, ladder));
    known.set(key, state);
    const isQueuedNow = state.state === 'preparing' && state.stage === 'absent' && queued.has(key);
    return isQueuedNow ? { state: 'preparing', stage: 'waiting' } : state;
  }

  return {
    prepare(key, source, _, owner) {
      if (queue !== undefined) {
        queue(key, source, ladder, owner, true);
        queued.add(key);
      }
      return known.get(key) ?? { state: 'preparing' };
    },
    settled: read,
    async inspect(keys) {
      await Promise.all(keys.map(read));
    },
  };
}

/** A stored record as a judged one. */
export function withoutRequest(record: BreakRecord): JudgedBreak {
  const { request: _, response: __, wrappers: ___, tracking: ____, prefetched, requestedAt, ...more } = record;
  const { sources: _sources, adsHook: _hook, ads, ...rest } = more;
  return { ...rest, ads: ads.map(({ vast: _vast, assetUrl: _url, ...ad }) => showAd(ad)) };
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

/** The bumpers of a channel as they are now. */
export async function inspectBumpers(channel: AdChannel, hasBegun: boolean, creatives: InspectedCreatives) {
  const { intro, outro } = channel.channel.bumpers ?? {};
  await creatives.inspect([intro, outro].filter((url) => url !== undefined));
  return readyBumpers(channel, hasBegun, creatives);
}

/**
 * With the ids of the ad server, in the order of the record: those that are shown, those that were skipped, and those without a
 * creative.
 */
function judgedAds({ ads }: BreakRecord, { pod }: BreakRecordParts, tried: readonly TriedCandidate[]): JudgedAd[] {
  const shown = (pod?.ads ?? []).map(({ candidate }) => candidate);
  const skipped = (pod?.outcomes ?? []).flatMap(({ outcome }, index) => (outcome === 'skipped' ? [index] : []));
  const order = [...shown, ...skipped];
  return ads.map(({ vast: _, assetUrl: __, ...record }, index) => {
    const ad = showAd(record);
    const one = tried[order[index] ?? -1];
    if (one === undefined) return ad;
    const { assetUrl } = one;
    const { creative } = one.candidate();
    const creativeState = creative.state === 'preparing' ? (creative.stage ?? 'unknown') : creative.state;
    const adId = one.ad.id ?? '';
    return { ...ad, adId, creativeState, ...(assetUrl === undefined ? {} : { mediaFile: maskUrl(assetUrl) }) };
  });
}

/** @param breaks in playing order; later ones prefer ads that are not in earlier ones */
export async function judgeBreaks(
  channel: AdChannel,
  breaks: readonly BreakToJudge[],
  { creatives, clock }: { readonly creatives: InspectedCreatives; readonly clock: Clock },
): Promise<readonly JudgedBreak[]> {
  const rate = channel.ladder.frameRate;
  const closeAt = millis(clock.now() + INSPECTION_MS);
  const judged = await Promise.all(
    breaks.map(async (one) => {
      const tried = await awaitCreatives(channel, { outcome: one.outcome, closeAt }, { library: creatives, ...clock });
      return { ...one, tried };
    }),
  );
  const bumpers = await inspectBumpers(channel, breaks[0]?.hasBegun === true, creatives);
  const before: { startsAt: number; ads: ReturnType<typeof shownIn>['ads'] }[] = [];
  return judged.map(({ tried, ...one }, index) => {
    const { id, startsAt, outcome, duration, maxAds, isInserted } = one;
    const breakFrames = secondsToFrames(duration, rate);
    const limits = { breakFrames, ...(isInserted ? { isInserted } : {}), ...(maxAds === undefined ? {} : { maxAds }) };
    const seen = one.seen ?? seenBefore(before, index);
    const { parts } = choosePod(channel, limits, { outcome, bumpers: bumpers.bumpers, seen }, tried);
    const { ads } = shownIn(id, parts);
    if (ads.length > 0) before.push({ startsAt: index, ads });
    const showsContent = channel.channel.type === 'live' && channel.channel.breakFill === 'content';
    const start = { millis: startsAt, rest: flicks(0) };
    const place = { id, start, rate, showsContent, ...(isInserted ? {} : { frames: breakFrames }) };
    const warnings = [...bumpers.warnings, ...outcome.warnings];
    const record = buildBreakRecord(place, { ...parts, warnings });
    return { ...withoutRequest(record), ads: judgedAds(record, parts, tried) };
  });
}
