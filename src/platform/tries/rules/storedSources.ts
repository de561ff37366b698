// SPDX-License-Identifier: Apache-2.0
// The ads of a past break of a channel with steps, from what its record has of each response, by the ad sources and steps of now.
import type {
  AskedSource,
  BreakOutcome,
  BreakRecord,
  ResolvedAd,
  StepsOutcome,
} from '../../../ads/record/breakRecord.ts';
import type { AdRequestBreak, AdRequestSession } from '../../../ads/request/requestVariables.ts';
import type { AdSourceRecord, OpenRtbSource } from '../../../channels/demand.ts';
import { houseAds } from '../../../demand/house.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { Auction } from '../../../openrtb/auction.ts';
import { buildBidRequest } from '../../../openrtb/buildBidRequest.ts';
import type { Demand, StepsDemand } from '../../../playback/request/demand.ts';
import { joinSources, type SourceResult } from '../../../playback/request/joinSources.ts';
import { momentOf } from '../../../playback/request/requestAds.ts';
import { offeredAds } from '../../../playback/request/requestBids.ts';
import { isStart, NO_WRAPPERS, type ReplayDeps, storedOutcome } from './storedOutcome.ts';

type Current = Pick<StepsDemand, 'channel'> & { readonly step: number; readonly record: AdSourceRecord };

type Stored = { readonly outcome: StepsOutcome; readonly missing: readonly string[] };

const nothing = { warnings: [], ads: [], dropped: [], errors: [] } as const;

/** The ad sources of a channel now, with the steps that list them. */
function currentSources(demand: Demand | undefined): ReadonlyMap<string, Current> {
  if (demand?.kind !== 'steps') return new Map();
  const { steps, channel } = demand;
  return new Map(
    steps.flatMap(({ sources }, step) =>
      sources.flatMap(({ id, record }): [string, Current][] => (record ? [[id, { step, record, channel }]] : [])),
    ),
  );
}

/** The auction of the request that the source would receive now, with the id of the request that it received. */
function auctionOf(
  source: OpenRtbSource & AdSourceRecord,
  { channel }: Current,
  request: AskedSource['request'],
  session: AdRequestSession,
  adBreak: AdRequestBreak,
): Auction {
  const { auction } = buildBidRequest(source, session, adBreak, momentOf(adBreak.startsAt), { channel, timeoutMs: 0 });
  const [, id = auction.id] = /^\{"id":"([^"]{1,256})"/.exec(request?.body ?? '') ?? [];
  return { ...auction, id };
}

export async function storedSources(
  record: BreakRecord & { readonly sources: readonly AskedSource[] },
  adBreak: AdRequestBreak,
  session: AdRequestSession,
  demand: Demand | undefined,
  deps: ReplayDeps,
): Promise<Stored> {
  const now = currentSources(demand);
  const missing: string[] = [];
  const lacks = ({ name, source }: Pick<AskedSource, 'name' | 'source'>, text: string): void =>
    void missing.push(`Ad source "${name ?? source}": ${text}`);

  async function outcomeOf(asked: AskedSource, current: Current): Promise<BreakOutcome> {
    const { record: source, step } = current;
    if (source.type === 'house')
      return { ...nothing, ads: houseAds(source, { id: source.id, step, session, adBreak }) };
    const { request, response, wrappers, reason } = asked;
    const shown = record.ads.filter(({ offer }) => offer?.source === asked.source);
    if (source.type === 'vast' || response === undefined || request?.error !== undefined) {
      const of = withoutUndefined({ request, response, wrappers, reason, position: record.position });
      const stored = await storedOutcome({ ...of, ads: shown }, deps);
      for (const text of stored.missing) lacks(asked, text);
      return stored.outcome;
    }
    const { reader, fetchWrapper = NO_WRAPPERS } = deps;
    const { duration = adBreak.duration } = asked.asked ?? {};
    const auction = auctionOf(source, current, request, session, { ...adBreak, duration });
    const read = await reader.readBids(new TextEncoder().encode(response.raw), auction);
    if (read.kind === 'bids')
      return offeredAds(read, { reader, fetch: fetchWrapper, auction, url: '', from: { source, step } });
    if (read.kind === 'noBid') return { ...nothing, reason: read.reason };
    if (!isStart(response))
      return {
        ...nothing,
        reason: { code: 'BIDS_UNREADABLE', text: `The bid response cannot be read: ${read.reason}.` },
      };
    lacks(asked, 'Its bids are not stored as a whole; only those that were shown then are replayed.');
    return {
      ...nothing,
      ads: shown.flatMap((one): ResolvedAd[] =>
        one.vast?.kind === 'inLine' ? [{ ad: one.vast, ...withoutUndefined({ offer: one.offer }) }] : [],
      ),
    };
  }

  const results: SourceResult[] = [];
  for (const asked of record.sources) {
    const current = now.get(asked.source);
    if (current === undefined) {
      lacks(asked, 'It is not in the steps of the channel now, so its ads are left out.');
      continue;
    }
    const outcome = await outcomeOf(asked, current);
    results.push({ asked: { ...asked, step: current.step }, outcome });
  }
  const known = new Set(record.sources.map(({ source }) => source));
  for (const [id, { record: source }] of now)
    if (!known.has(id)) lacks({ ...source, source: id }, 'It was added since, so no response is stored.');
  const ordered = results.toSorted((a, b) => a.asked.step - b.asked.step);
  return { outcome: { ...joinSources(ordered), variables: deps.variables }, missing };
}
