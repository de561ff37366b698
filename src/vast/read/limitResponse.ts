// SPDX-License-Identifier: Apache-2.0
// Limits an ad response to what a break, or the breaks of a presentation, can use: a number of ads, each of limited size
// (limitAd.ts). Warnings report what was dropped.

import { inPlayingOrder } from '../inPlayingOrder.ts';
import type { VastAd, VastResponse } from '../response.ts';
import type { VastWarning, VastWarningCode } from '../vastWarning.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { limitAd, nameOfAd } from './limitAd.ts';
import type { VmapBreak, VmapResponse, VmapSource } from './readVmap.ts';

export type ResponseLimits = {
  /** Tracking URLs for each event of an ad. */
  readonly maxUrls: number;
  /** Characters of all ads together, as JSON. */
  readonly maxCharacters?: number;
};

/** Ads of a VAST document, including wrappers. No break holds more. */
export const MAX_ADS_PER_RESPONSE = 50;
/** Breaks of a VMAP document, and the ads of all of them. */
const MAX_BREAKS = 100;
const MAX_ADS_OF_BREAKS = 300;

/** Drops the extensions and custom data of VMAP, because Midroll does not use them. */
export function limitResponse<T extends VastResponse | VmapResponse | VastReadFailure>(
  response: T,
  limits: ResponseLimits,
): T {
  const ads = 'adBreaks' in response ? MAX_ADS_OF_BREAKS : MAX_ADS_PER_RESPONSE;
  const budget: Budget = { ads, characters: limits.maxCharacters ?? Number.POSITIVE_INFINITY };
  if ('ads' in response) return { ...response, ...limitVast(response, limits, budget) };
  if ('adBreaks' in response) return { ...response, ...limitVmap(response, limits, budget) };
  return response;
}

/** What remains of the limits of a document. */
type Budget = { ads: number; characters: number };

/** Collects warnings about the document as a whole, which have no line. */
class Notes {
  readonly warnings: VastWarning[] = [];
  add(code: VastWarningCode, text: string): void {
    this.warnings.push({ code, text });
  }
  readonly tooManyItems = (text: string): void => this.add('TOO_MANY_ITEMS', text);
}

function limitVast({ ads, errorUrls, warnings }: VastResponse, { maxUrls }: ResponseLimits, budget: Budget) {
  const notes = new Notes();
  const first = inPlayingOrder(ads).slice(0, Math.min(budget.ads, MAX_ADS_PER_RESPONSE));
  if (ads.length > first.length) {
    notes.add('TOO_MANY_ADS', `the response has ${ads.length} ads; the first ${first.length} are used`);
  }
  const kept = new Map<VastAd, VastAd>();
  for (const ad of first) {
    const limited = limitAd(ad, maxUrls, nameOfAd(ad), notes.tooManyItems);
    const size = budget.characters === Number.POSITIVE_INFINITY ? 0 : JSON.stringify(limited).length;
    if (size > budget.characters) {
      notes.add('AD_TOO_LARGE', `${nameOfAd(ad)} is dropped because the response exceeds the size limit with it`);
      continue;
    }
    budget.characters -= size;
    kept.set(ad, limited);
  }
  budget.ads -= kept.size;
  const limited = limitAd({ errorUrls }, maxUrls, 'The response', notes.tooManyItems);
  return { ...limited, ads: ads.flatMap((ad) => kept.get(ad) ?? []), warnings: [...notes.warnings, ...warnings] };
}

function limitVmap(
  { adBreaks, warnings }: VmapResponse,
  limits: ResponseLimits,
  budget: Budget,
): Omit<VmapResponse, 'version'> {
  const notes = new Notes();
  const kept: VmapBreak[] = [];
  for (const adBreak of adBreaks) {
    if (budget.ads <= 0 || kept.length >= MAX_BREAKS) {
      notes.add('TOO_MANY_BREAKS', `the response has ${adBreaks.length} breaks; the first ${kept.length} are used`);
      break;
    }
    const { source, trackingEvents, ...rest } = adBreak;
    const limited = limitAd({ trackingEvents }, limits.maxUrls, 'A break', notes.tooManyItems);
    kept.push({ ...rest, ...limited, extensions: [], ...(source && { source: limitSource(source, limits, budget) }) });
  }
  return { adBreaks: kept, extensions: [], warnings: [...notes.warnings, ...warnings] };
}

function limitSource(source: VmapSource, limits: ResponseLimits, budget: Budget): VmapSource {
  if (source.kind === 'vast') return { ...source, vast: { ...source.vast, ...limitVast(source.vast, limits, budget) } };
  return source.kind === 'custom' ? { ...source, data: '' } : source;
}
