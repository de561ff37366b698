// What an ad server sent, as much of it as a break can use: so many ads, each of a bounded size (limitAd.ts). A warning says
// what was left out.

import { inPlayingOrder } from '../inPlayingOrder.ts';
import type { VastAd, VastResponse, VastWarning } from '../response.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { limitAd, nameOfAd } from './limitAd.ts';
import type { VmapBreak, VmapResponse, VmapSource } from './readVmap.ts';

export type ResponseLimits = {
  /** Tracking URLs for each event of an ad. */
  readonly mostUrls: number;
  /** Of all ads together, written as JSON. */
  readonly mostCharacters?: number;
};

/** Of an answer, wrappers included: no break holds more. */
export const MAX_ADS_PER_RESPONSE = 50;

/** Extensions and custom data of VMAP are left out: nothing of them is shown. */
export function limitResponse<T extends VastResponse | VmapResponse | VastReadFailure>(
  answer: T,
  limits: ResponseLimits,
): T {
  const budget: Budget = { ads: MAX_ADS_PER_RESPONSE, characters: limits.mostCharacters ?? Number.POSITIVE_INFINITY };
  if ('ads' in answer) return { ...answer, ...boundVast(answer, limits, budget) };
  if ('adBreaks' in answer) return { ...answer, ...boundVmap(answer, limits, budget) };
  return answer;
}

/** What is left of the bounds of a document. */
type Budget = { ads: number; characters: number };

function boundVast({ ads, errorUrls, warnings }: VastResponse, { mostUrls }: ResponseLimits, budget: Budget) {
  const notes: string[] = [];
  const note = (text: string): void => void notes.push(text);
  const offered = inPlayingOrder(ads).slice(0, budget.ads);
  if (ads.length > offered.length) note(`${ads.length} ads came back; the first ${offered.length} are looked at`);
  const taken = new Map<VastAd, VastAd>();
  for (const ad of offered) {
    const bounded = limitAd(ad, mostUrls, nameOfAd(ad), note);
    const size = budget.characters === Number.POSITIVE_INFINITY ? 0 : JSON.stringify(bounded).length;
    if (size > budget.characters) {
      note(`${nameOfAd(ad)} is not read: with it the answer would be larger than a break can use`);
      continue;
    }
    budget.characters -= size;
    taken.set(ad, bounded);
  }
  budget.ads -= taken.size;
  const bounds = limitAd({ errorUrls }, mostUrls, 'The answer', note);
  return { ...bounds, ads: ads.flatMap((ad) => taken.get(ad) ?? []), warnings: [...notes.map(asWarning), ...warnings] };
}

/** About the document as a whole, so it has no line. */
const asWarning = (text: string): VastWarning => ({ text });

function boundVmap(
  { adBreaks, warnings }: VmapResponse,
  limits: ResponseLimits,
  budget: Budget,
): Omit<VmapResponse, 'version'> {
  const notes: string[] = [];
  const kept: VmapBreak[] = [];
  for (const adBreak of adBreaks) {
    if (budget.ads <= 0 || kept.length >= MAX_ADS_PER_RESPONSE) {
      notes.push(`the answer has ${adBreaks.length} breaks; the first ${kept.length} are read`);
      break;
    }
    const { source, trackingEvents, ...rest } = adBreak;
    const bounds = limitAd({ trackingEvents }, limits.mostUrls, 'A break', (text) => notes.push(text));
    kept.push({ ...rest, ...bounds, extensions: [], ...(source && { source: boundSource(source, limits, budget) }) });
  }
  return { adBreaks: kept, extensions: [], warnings: [...notes.map(asWarning), ...warnings] };
}

function boundSource(source: VmapSource, limits: ResponseLimits, budget: Budget): VmapSource {
  if (source.kind === 'vast') return { ...source, vast: { ...source.vast, ...boundVast(source.vast, limits, budget) } };
  return source.kind === 'custom' ? { ...source, data: '' } : source;
}
