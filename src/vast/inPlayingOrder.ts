// SPDX-License-Identifier: Apache-2.0
// The order in which the ads of a response play, and which of them are alternatives.
import type { VastAd } from './response.ts';

/** Position in a waterfall of Google Ad Manager: 0 is tried first. */
function fallbackIndexOf({ extensions }: VastAd): number | undefined {
  const waterfall = extensions.find(({ type }) => type?.toLowerCase() === 'waterfall');
  const entry = Object.entries(waterfall?.attributes ?? {}).find(([name]) => name.toLowerCase() === 'fallback_index');
  return entry !== undefined && /^\d{1,4}$/.test(entry[1].trim()) ? Number(entry[1]) : undefined;
}

const byIndex = (ads: readonly VastAd[]): VastAd[] =>
  ads.toSorted((a, b) => (fallbackIndexOf(a) ?? 0) - (fallbackIndexOf(b) ?? 0));

/** The waterfalls among stand-alone ads. An index that a waterfall has already starts the next one. */
function waterfalls(ads: readonly VastAd[]): VastAd[][] {
  const units: VastAd[][] = [];
  let current: { readonly unit: VastAd[]; readonly indexes: Set<number> } | undefined;
  for (const ad of ads) {
    const index = fallbackIndexOf(ad);
    if (index !== undefined && current !== undefined && !current.indexes.has(index)) {
      current.unit.push(ad);
      current.indexes.add(index);
      continue;
    }
    const unit = [ad];
    units.push(unit);
    if (index !== undefined) current = { unit, indexes: new Set([index]) };
  }
  return units;
}

/**
 * The pod in order of its sequence, then stand-alone ads in document order (VAST 4.2 §3.3.1). Ads with the same position, and those of a
 * waterfall, are alternatives: one unit, in the order in which they are tried.
 */
export function playingUnits(ads: readonly VastAd[]): VastAd[][] {
  const pod = new Map<number, VastAd[]>();
  for (const ad of ads) if (ad.sequence !== undefined) pod.set(ad.sequence, [...(pod.get(ad.sequence) ?? []), ad]);
  const inPod = [...pod].sort(([a], [b]) => a - b).map(([, unit]) => unit);
  return [...inPod, ...waterfalls(ads.filter(({ sequence }) => sequence === undefined))].map(byIndex);
}

export const inPlayingOrder = (ads: readonly VastAd[]): VastAd[] => playingUnits(ads).flat();
