// SPDX-License-Identifier: Apache-2.0
// What is probably a mistake in the ad sources of a channel, a sentence each.
import { templateWarnings } from '../../../ads/request/buildAdRequest.ts';
import type { AdSourceRecord, ChannelDemand } from '../../../channels/demand.ts';

export function sourceWarnings(source: AdSourceRecord): string[] {
  if (source.type === 'house') return [];
  if (source.type === 'vast') return templateWarnings(source);
  const { template, ...request } = source;
  return templateWarnings(
    template === undefined ? request : { ...request, params: { template: JSON.stringify(template) } },
  );
}

/** @param sources those of its steps that exist */
export function demandWarnings(
  { adSource, adSteps }: ChannelDemand,
  sources: ReadonlyMap<string, AdSourceRecord>,
): string[] {
  if (adSteps === undefined) return adSource === undefined ? [] : templateWarnings(adSource);
  const ofSteps = adSteps.flatMap(({ sources: ids }, index) =>
    ids.flatMap((id) => {
      const source = sources.get(id);
      if (source === undefined) return [`ad source "${id}" of step ${index + 1} does not exist, so it is left out`];
      return sourceWarnings(source).map((text) => `ad source "${source.name || id}": ${text}`);
    }),
  );
  const isIgnored = adSource !== undefined;
  return [...(isIgnored ? ['adSource is not used, because adSteps replace it; remove one of them'] : []), ...ofSteps];
}
