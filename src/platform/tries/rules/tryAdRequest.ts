// SPDX-License-Identifier: Apache-2.0
// Makes a real ad request for an operator, and reports what a viewer would get. There is no viewer: no session and no decision is
// stored, no report counts it, and no tracking URL or Error URL is called (docs/decisions/042-tries.md).

import { randomUUID } from 'node:crypto';
import type { CreativeLookup } from '../../../ads/creative/creative.ts';
import type { AdRequestOutcome, BreakOutcome, NoAdsReason } from '../../../ads/record/breakRecord.ts';
import type { AdResponseReader, AdServer } from '../../../ads/request/ports.ts';
import type { AdSource, Channel } from '../../../channels/channel.ts';
import { DEFAULT_BREAK_DURATION } from '../../../channels/channel.ts';
import { LONGEST_BREAK_SECONDS } from '../../../channels/cuePoints.ts';
import type { AdRequestContext } from '../../../playback/request/requestAds.ts';
import { requestAds } from '../../../playback/request/requestAds.ts';
import type { PresentationOutcome } from '../../../playback/request/requestPresentation.ts';
import { requestPresentation } from '../../../playback/request/requestPresentation.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { timeOffsetText } from './documentContents.ts';
import { type ExchangeLog, recordExchanges, type TriedExchange } from './exchangeLog.ts';
import { type InspectCreative, type InspectedCreatives, inspectCreatives } from './inspectedCreatives.ts';
import { type BreakToJudge, bumperSeconds, inspectBumpers, type JudgedBreak, judgeBreaks } from './judgeBreaks.ts';

/** A ladder of the channel, and the formats of the sessions that play it. */
export type ServedLadder = { readonly formats: readonly ('hls' | 'dash')[]; readonly ladder: Ladder };

export type TryOptions = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: { readonly address: string; readonly userAgent: string };
  /** Seconds. */
  readonly breakDuration?: number;
  readonly maxAds?: number;
  /** Whether creatives are queued. */
  readonly isPreparing: boolean;
};

export type TryDeps = {
  /** Apart from that of viewers: a tag that fails here is not suspended for them. */
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
  readonly inspect: InspectCreative;
  readonly queue: CreativeLookup['prepare'];
  /** Looks at ready creatives before they are judged, as before a viewer's break. */
  readonly checked: (creatives: InspectedCreatives) => InspectedCreatives;
  readonly clock: Clock;
};

/** A break in the view of one ladder. `timeOffset`: of a VMAP break of a VoD channel. */
export type TriedBreak = JudgedBreak & { readonly timeOffset?: string };
export type TriedLadder = ServedLadder & { readonly breaks: readonly TriedBreak[] };

export type AdTry = {
  readonly requestedAt: number;
  /** The ad request first, then those of wrappers and ad tags. */
  readonly exchanges: readonly TriedExchange[];
  readonly omittedExchanges: number;
  /** Why there are no ads. */
  readonly reason?: NoAdsReason;
  readonly warnings: readonly string[];
  readonly ladders: readonly TriedLadder[];
};

/** A break of the response. */
type FoundBreak = { readonly outcome: BreakOutcome & Partial<AdRequestOutcome>; readonly timeOffset?: string };

const BREAK_ID = 'try';

function found(outcome: PresentationOutcome): FoundBreak[] {
  const { request } = outcome;
  return (
    outcome.breaks?.map((one) => ({
      outcome: { request, ...one.outcome },
      timeOffset: timeOffsetText(one.vmap.timeOffset),
    })) ?? [{ outcome }]
  );
}

/** One request: for a VoD channel whose ad server names the breaks, the one of the presentation; else that of a break. */
function request(channel: Channel, context: AdRequestContext, log: ExchangeLog, { clock }: TryDeps) {
  const isNamed = channel.type === 'vod' && channel.breakSource === 'vmap';
  return (isNamed ? requestPresentation : requestAds)(context, log.adServer, log.reader, clock);
}

/**
 * @param source of the channel, or with another URL
 * @param ladders none if it is not known yet what the channel plays: then there are no verdicts
 */
export async function tryAdRequest(
  channel: Channel,
  source: AdSource,
  ladders: readonly ServedLadder[],
  options: TryOptions,
  deps: TryDeps,
): Promise<AdTry> {
  const { clock } = deps;
  const requestedAt = clock.now();
  const duration = options.breakDuration ?? channel.breakDuration ?? DEFAULT_BREAK_DURATION;
  const limit = options.maxAds === undefined ? {} : { maxAds: options.maxAds };
  const isInserted = channel.type === 'vod';
  const served = ladders.map((one) => {
    const inspected = inspectCreatives(one.ladder, deps.inspect, options.isPreparing ? deps.queue : undefined);
    return { ...one, creatives: deps.checked(inspected) };
  });
  const [first] = served;
  const judged = { channel, ladder: first?.ladder as Ladder };
  const reserved =
    first === undefined ? 0 : bumperSeconds(judged, await inspectBumpers(judged, false, first.creatives));
  const { parameters, viewer } = options;
  const isNamed = isInserted && channel.breakSource === 'vmap';
  const context: AdRequestContext = {
    source,
    session: { id: randomUUID(), channelId: channel.id, tenant: channel.tenant, parameters, viewer },
    adBreak: {
      id: BREAK_ID,
      startsAt: requestedAt,
      duration: Math.max(0, duration - reserved),
      ...limit,
      ...(isNamed ? { position: 'pre', contentTime: 0 } : {}),
    },
  };
  const log = recordExchanges(deps.adServer, deps.reader, clock.timers);
  const outcome: PresentationOutcome = await request(channel, context, log, deps);
  const breaks = found(outcome).map((one, index, all): FoundBreak & BreakToJudge => ({
    ...one,
    id: all.length === 1 ? BREAK_ID : `${BREAK_ID}-${index + 1}`,
    startsAt: requestedAt,
    // Breaks of VMAP have no limit.
    duration: isNamed ? (options.breakDuration ?? LONGEST_BREAK_SECONDS) : duration,
    isInserted,
    ...limit,
  }));
  return {
    requestedAt,
    exchanges: log.exchanges,
    omittedExchanges: log.omitted(),
    ...(outcome.reason ? { reason: outcome.reason } : {}),
    warnings: outcome.warnings,
    ladders: await Promise.all(
      served.map(async ({ formats, ladder, creatives }) => {
        const judgements = await judgeBreaks({ channel, ladder }, breaks, { creatives, clock });
        const withOffsets = judgements.map((one, index) => {
          const { timeOffset } = breaks[index]!;
          return timeOffset === undefined ? one : { ...one, timeOffset };
        });
        return { formats, ladder, breaks: withOffsets };
      }),
    ),
  };
}
