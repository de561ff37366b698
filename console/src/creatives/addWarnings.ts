// SPDX-License-Identifier: Apache-2.0
import type { AssetsAdded } from '../../../src/http/contract/assetContract.ts';
import { plural } from '../format/numbers.ts';

/** What to show after creatives were added; empty when all of them were accepted without warnings. */
export function addWarnings({ assets, skipped, warnings }: AssetsAdded): string[] {
  const details = [
    ...skipped.map(({ adId, title, reason }) => `Skipped ${title ?? adId}: ${reason.text}`),
    ...warnings,
  ];
  if (assets.length === 0)
    return [details.length === 0 ? 'The document contains no ads.' : 'No creatives added.', ...details];
  return details.length === 0 ? [] : [`${plural(assets.length, 'creative')} added.`, ...details];
}
