// SPDX-License-Identifier: Apache-2.0
// The ads of several sources as those of one break, in the order of steps and of sources.
import { inPlace } from '../../ads/pod/adOutcome.ts';
import type {
  AskedSource,
  BreakOutcome,
  DroppedAd,
  NoAdsReason,
  ResolvedAd,
  StepsOutcome,
} from '../../ads/record/breakRecord.ts';
import { type AdTraits, microsOf, type Offer, type Price } from '../../ads/record/offer.ts';
import { traitsOfVast } from '../../ads/record/traits.ts';
import type { InLineAd } from '../../vast/response.ts';
import { limitWarnings } from './breakOutcome.ts';

/** What one source returned; `outcome` is absent if it was not requested. */
export type SourceResult = { readonly asked: AskedSource; readonly outcome: BreakOutcome | undefined };

export const noTraits: AdTraits = { advertisers: [], categories: [], creatives: [] };

const CURRENCY = /^[A-Z]{3}$/;

/** The price of a VAST ad, if it is for a thousand impressions (VAST 4.2 §3.4.7). */
function priceOf({ pricing }: InLineAd): Price | undefined {
  if (pricing === undefined || pricing.model?.toUpperCase() !== 'CPM') return undefined;
  const currency = pricing.currency?.toUpperCase() ?? '';
  const micros = microsOf(pricing.value);
  return CURRENCY.test(currency) && micros >= 0 && Number.isSafeInteger(micros) ? { micros, currency } : undefined;
}

function offerOf({ ad, offer }: ResolvedAd, { step, source }: AskedSource): Offer {
  if (offer !== undefined) return offer;
  const price = priceOf(ad);
  return { step, source, traits: traitsOfVast(ad), ...(price === undefined ? {} : { price }) };
}

const droppedFrom = (one: DroppedAd, { step, source }: AskedSource): DroppedAd => ({
  ...one,
  offer: one.offer ?? { step, source, traits: noTraits },
});

/**
 * Why there are no ads: the reason of the first source that was requested, with its name. AD_SERVER_NOT_ASKED only if none was: then
 * the break is requested again.
 */
function reasonOf(results: readonly SourceResult[]): NoAdsReason {
  const withReason = results.filter(({ outcome }) => outcome?.reason !== undefined);
  const sent = withReason.find(({ outcome }) => outcome?.reason?.code !== 'AD_SERVER_NOT_ASKED');
  const first = sent ?? withReason[0] ?? results[0];
  const isOver = first?.asked.reason?.code === 'RATE_REACHED';
  const reason = first?.outcome?.reason;
  const why = first?.asked.reason?.text ?? 'The channel has no ad source.';
  const name = first?.asked.name ?? first?.asked.source;
  const text = results.length > 1 ? `No source returned an ad. The first, "${name}": ${why}` : why;
  return { code: reason?.code ?? (isOver ? 'RATE_REACHED' : 'NO_ADS'), text };
}

/** Pods are numbered on, so that those of two sources do not mix. Macros are those of the first source that was requested. */
export function joinSources(results: readonly SourceResult[]): StepsOutcome {
  let before = 0;
  const answered = results.flatMap(({ asked, outcome }) => (outcome === undefined ? [] : [{ asked, outcome }]));
  const ads = answered.flatMap(({ asked, outcome }, place) => {
    const offset = before;
    return outcome.ads.map((one): ResolvedAd => {
      const placed = { ...inPlace(one, place), offer: offerOf(one, asked) };
      if (one.sequence === undefined) return placed;
      before = Math.max(before, offset + one.sequence);
      return { ...placed, sequence: offset + one.sequence };
    });
  });
  const variables = answered.find(({ outcome }) => outcome.variables !== undefined)?.outcome.variables;
  return {
    sources: results.map(({ asked }) => asked),
    ...(variables === undefined ? {} : { variables }),
    warnings: limitWarnings(
      answered.flatMap(({ asked, outcome }) =>
        outcome.warnings.map((text) => `Ad source "${asked.name ?? asked.source}": ${text}`),
      ),
    ),
    ads,
    dropped: answered.flatMap(({ asked, outcome }) => outcome.dropped.map((one) => droppedFrom(one, asked))),
    errors: answered.flatMap(({ outcome }, place) => outcome.errors.map((one) => inPlace(one, place))),
    ...(ads.length === 0 ? { reason: reasonOf(results) } : {}),
  };
}
