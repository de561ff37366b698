// SPDX-License-Identifier: Apache-2.0
// The ads of a past break of a channel with steps, from what its record has of each response, by the ad sources and steps of now.
import type {
  AskedSource,
  BreakOutcome,
  BreakRecord,
  ResolvedAd,
  StepsOutcome,
} from '../../../ads/record/breakRecord.ts';
import type { AdRequestBreak } from '../../../ads/request/requestVariables.ts';
import type { AdSourceRecord, OpenRtbSource } from '../../../channels/demand.ts';
import { houseAds } from '../../../demand/house.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { type Auction, termsOf } from '../../../openrtb/auction.ts';
import type { Demand } from '../../../playback/request/demand.ts';
import { joinSources, type SourceResult } from '../../../playback/request/joinSources.ts';
import { offeredAds } from '../../../playback/request/requestBids.ts';
import { NO_WRAPPERS, type ReplayDeps, storedOutcome } from './storedOutcome.ts';

type Current = { readonly step: number; readonly record: AdSourceRecord };

type Stored = { readonly outcome: StepsOutcome; readonly missing: readonly string[] };

const nothing = { warnings: [], ads: [], dropped: [], errors: [] } as const;

/** The ad sources of a channel now, with the steps that list them. */
function currentSources(demand: Demand | undefined): ReadonlyMap<string, Current> {
  if (demand?.kind !== 'steps') return new Map();
  return new Map(
    demand.steps.flatMap(({ sources }, step) =>
      sources.flatMap(({ id, record }): [string, Current][] => (record === undefined ? [] : [[id, { step, record }]])),
    ),
  );
}

/** The auction of a stored bid response, with the floors of now. */
function auctionOf(raw: string, source: OpenRtbSource, seconds: number): Auction {
  const [, id = ''] = /"id"\s*:\s*"([^"]{0,200})"/.exec(raw) ?? [];
  const request = { id, impIds: ['1'], dealFloors: {}, seconds: Math.max(1, Math.floor(seconds)), startsIn: 0 };
  return { ...request, ...termsOf(source) };
}

export async function storedSources(
  record: BreakRecord & { readonly sources: readonly AskedSource[] },
  adBreak: AdRequestBreak,
  session: { readonly id: string },
  demand: Demand | undefined,
  deps: ReplayDeps,
): Promise<Stored> {
  const now = currentSources(demand);
  const missing: string[] = [];
  const nameOf = ({ name, source }: AskedSource) => `ad source "${name ?? source}"`;

  async function outcomeOf(asked: AskedSource, { record: source, step }: Current): Promise<BreakOutcome> {
    if (source.type === 'house')
      return { ...nothing, ads: houseAds(source, { id: source.id, step, session, adBreak }) };
    const { request, response, wrappers, reason } = asked;
    const shown = record.ads.filter(({ offer }) => offer?.source === asked.source);
    const of = { ...withoutUndefined({ request, response, wrappers, reason, position: record.position }), ads: shown };
    if (source.type === 'vast' || response === undefined || request?.error !== undefined) {
      const stored = await storedOutcome({ ...record, ...of }, deps);
      missing.push(...stored.missing.map((text) => `${capital(nameOf(asked))}: ${text}`));
      return stored.outcome;
    }
    const bytes = new TextEncoder().encode(response.raw);
    const auction = auctionOf(response.raw, source, asked.asked?.duration ?? adBreak.duration);
    const read = await deps.reader.readBids(bytes, auction);
    if (read.kind !== 'bids') {
      missing.push(
        `The bids of ${nameOf(asked)} are not stored as a whole; only those that were shown then are replayed.`,
      );
      return {
        ...nothing,
        ads: shown.flatMap((one): ResolvedAd[] =>
          one.vast?.kind === 'inLine' ? [{ ad: one.vast, ...withoutUndefined({ offer: one.offer }) }] : [],
        ),
      };
    }
    const { reader, fetchWrapper = NO_WRAPPERS } = deps;
    return offeredAds(read, { reader, fetch: fetchWrapper, auction, url: '', from: { source, step } });
  }

  const results: SourceResult[] = [];
  for (const asked of record.sources) {
    const current = now.get(asked.source);
    if (current === undefined) {
      missing.push(`The ${nameOf(asked)} is not in the steps of the channel now, so its ads are left out.`);
      continue;
    }
    const outcome = await outcomeOf(asked, current);
    results.push({ asked: { ...asked, step: current.step }, outcome });
  }
  const known = new Set(record.sources.map(({ source }) => source));
  for (const [id, { record: source }] of now)
    if (!known.has(id))
      missing.push(`The ad source "${source.name ?? id}" was added since, so no response of it is stored.`);
  const ordered = results.toSorted((a, b) => a.asked.step - b.asked.step);
  return { outcome: { ...joinSources(ordered), variables: deps.variables }, missing };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
