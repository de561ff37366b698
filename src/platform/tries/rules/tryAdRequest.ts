// SPDX-License-Identifier: Apache-2.0
// Makes a real ad request for an operator, and reports what a viewer would get. There is no viewer: no session and no decision is
// stored, no report counts it, and no tracking URL or Error URL is called (docs/decisions/042-tries.md).

import { randomUUID } from 'node:crypto';
import type { CreativeLookup } from '../../../ads/creative/creative.ts';
import { bumperFrames } from '../../../ads/pod/fitPod.ts';
import type { AdRequestOutcome } from '../../../ads/record/breakRecord.ts';
import { seconds } from '../../../ads/record/buildBreakRecord.ts';
import type { AdResponseReader, AdServer } from '../../../ads/request/ports.ts';
import { PREVIEW_MARK, PREVIEW_PARAMETER } from '../../../ads/request/preview.ts';
import { type Channel, DEFAULT_BREAK_DURATION } from '../../../channels/channel.ts';
import { LONGEST_BREAK_SECONDS } from '../../../channels/cuePoints.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { BidReader } from '../../../openrtb/ports.ts';
import { createFreeAfter } from '../../../playback/decide/freeAfter.ts';
import { type Demand, namesBreaks, namingSource } from '../../../playback/request/demand.ts';
import type { BreakRequester } from '../../../playback/request/requestBreak.ts';
import type { PresentationOutcome } from '../../../playback/request/requestPresentation.ts';
import type { BreakRequest } from '../../../playback/request/requestSteps.ts';
import type { Clock } from '../../../time/clock.ts';
import { secondsToFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { AdTry, TryBody } from '../contract/tryContract.ts';
import { recordExchanges, timeOffsetText } from './exchangeLog.ts';
import {
  type BreakToJudge,
  type InspectCreative,
  type InspectedCreatives,
  inspectBumpers,
  inspectCreatives,
  judgeBreaks,
} from './judgeBreaks.ts';

/** A ladder of the channel, and the formats of the sessions that play it. */
export type ServedLadder = { readonly formats: readonly ('hls' | 'dash')[]; readonly ladder: Ladder };

export type TryDeps = {
  /** Apart from that of viewers: a tag that fails here is not suspended for them. */
  readonly adServer: AdServer;
  readonly reader: AdResponseReader & BidReader;
  /** Sends requests as those of viewers are sent. */
  readonly requesterWith: (adServer: AdServer, reader: AdResponseReader & BidReader) => BreakRequester;
  readonly inspect: InspectCreative;
  readonly queue: CreativeLookup['prepare'];
  /** Looks at ready creatives before they are judged, as before a viewer's break. */
  readonly checked: (creatives: InspectedCreatives) => InspectedCreatives;
  readonly clock: Clock;
};

const BREAK_ID = 'try';

type TriedBreak = BreakToJudge & { readonly timeOffset?: string };

type TriedOutcome = AdRequestOutcome | PresentationOutcome;

function breaksOf(outcome: TriedOutcome): Pick<TriedBreak, 'id' | 'outcome' | 'timeOffset'>[] {
  if (!('breaks' in outcome) || outcome.breaks === undefined) return [{ id: BREAK_ID, outcome }];
  const { request, breaks } = outcome;
  return breaks.map((one, index) => ({
    id: breaks.length === 1 ? BREAK_ID : `${BREAK_ID}-${index + 1}`,
    outcome: { request, ...one.outcome },
    timeOffset: timeOffsetText(one.vmap.timeOffset),
  }));
}

function showLadder({ formats, ladder: { container, frameRate, rungs } }: ServedLadder) {
  return {
    formats,
    container,
    framesPerSecond: Math.round((frameRate.n / frameRate.d) * 1000) / 1000,
    rungs: rungs.map(({ kind, codecs, bandwidth, width, height }) => {
      return { kind, codecs, bandwidth, ...withoutUndefined({ width, height }) };
    }),
  };
}

/** The sources of steps, without what their exchanges show; of VMAP, the one that names the breaks, if a hook was called. */
function showSources(outcome: TriedOutcome, demand: Demand): Pick<AdTry, 'sources' | 'adsHook'> {
  if ('sources' in outcome) {
    const sources = outcome.sources.map(({ asked, request, response: _, wrappers: __, ...one }) => ({
      ...one,
      ...withoutUndefined({ requested: asked, ms: request?.ms }),
    }));
    return { sources, ...withoutUndefined({ adsHook: outcome.adsHook }) };
  }
  const [hooks, source] = ['hooks' in outcome ? outcome.hooks : undefined, namingSource(demand)];
  if (hooks === undefined || source === undefined || demand.kind === 'server') return {};
  const step = demand.steps.findIndex(({ sources }) => sources.some(({ id }) => id === source.id));
  const offered = breaksOf(outcome).reduce((sum, { outcome: { ads } }) => sum + ads.length, 0);
  const { name, type, id } = source;
  return {
    sources: [{ step, source: id, type, offered, hooks, ...withoutUndefined({ name, reason: outcome.reason }) }],
  };
}

/**
 * @param demand of the channel, or another one
 * @param ladders none if it is not known yet what the channel plays: then there are no verdicts
 */
export async function tryAdRequest(
  channel: Channel,
  demand: Demand,
  ladders: readonly ServedLadder[],
  { parameters = {}, address = '', userAgent = '', breakDuration, maxAds, prepare }: TryBody,
  { adServer, reader, requesterWith, inspect, queue, checked, clock }: TryDeps,
): Promise<AdTry> {
  const requestedAt = clock.now();
  const { tenant } = channel;
  const duration = breakDuration ?? channel.breakDuration ?? DEFAULT_BREAK_DURATION;
  const limit = withoutUndefined({ maxAds });
  const isInserted = channel.type === 'vod';
  const served = ladders.map((one) => {
    const creatives = checked(inspectCreatives(one.ladder, inspect, prepare === true ? queue : undefined));
    return { ...one, creatives };
  });
  const [first] = served;
  const ofFirst = first && { channel, ladder: first.ladder };
  const { bumpers = {} } = (ofFirst && (await inspectBumpers(ofFirst, false, first.creatives))) ?? {};
  const reserved = ofFirst === undefined ? 0 : seconds(bumperFrames(bumpers), ofFirst.ladder.frameRate);
  /** The ad server names the breaks: one request for the whole presentation. */
  const isNamed = isInserted && channel.breakSource === 'vmap';
  const isPresentation = isNamed && namesBreaks(demand);
  const asked: BreakRequest = {
    demand,
    session: {
      id: randomUUID(),
      channelId: channel.id,
      tenant,
      parameters: { ...parameters, [PREVIEW_PARAMETER]: PREVIEW_MARK },
      viewer: { address, userAgent },
    },
    adBreak: {
      id: BREAK_ID,
      startsAt: requestedAt,
      duration: Math.max(0, duration - reserved),
      ...limit,
      ...(isNamed ? { position: 'pre', contentTime: 0 } : {}),
    },
    ...(ofFirst && {
      freeAfter: createFreeAfter(
        ofFirst,
        { breakFrames: secondsToFrames(duration, ofFirst.ladder.frameRate), isInserted, ...limit },
        bumpers,
        { library: first.creatives, ...clock },
      ),
    }),
  };
  const log = recordExchanges(adServer, reader, clock.timers);
  const requester = requesterWith(log.adServer, log.reader);
  const outcome: TriedOutcome = isPresentation
    ? await requester.requestPresentation(asked)
    : await requester.requestBreak(asked);
  // Breaks of VMAP have no limit.
  const longest = isNamed ? (breakDuration ?? LONGEST_BREAK_SECONDS) : duration;
  const facts = { startsAt: requestedAt, duration: longest, isInserted, ...limit };
  const breaks = breaksOf(outcome).map((one): TriedBreak => ({ ...facts, ...one }));
  return {
    requestedAt: new Date(requestedAt).toISOString(),
    exchanges: log.exchanges,
    omittedExchanges: log.omitted(),
    ...(outcome.reason ? { reason: outcome.reason } : {}),
    warnings: outcome.warnings,
    ...showSources(outcome, demand),
    ladders: await Promise.all(
      served.map(async ({ creatives, ...one }) => {
        const judged = await judgeBreaks({ channel, ladder: one.ladder }, breaks, { creatives, clock });
        const offset = (index: number) => withoutUndefined({ timeOffset: breaks[index]?.timeOffset });
        return { ...showLadder(one), breaks: judged.map((each, index) => ({ ...each, ...offset(index) })) };
      }),
    ),
  };
}
