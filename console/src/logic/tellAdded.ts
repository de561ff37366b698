import type { AssetsAdded } from '../../../src/http/assetContract.ts';

/** What somebody should know of what was to be made: nothing when all of it was taken without remarks. */
export function tellAdded({ assets, skipped, warnings }: AssetsAdded): string[] {
  const remarks = [
    ...skipped.map(({ adId, title, reason }) => `Not taken, ${title ?? adId}: ${reason.text}`),
    ...warnings,
  ];
  if (assets.length === 0) return [remarks.length === 0 ? 'There is no ad in it.' : 'Nothing was taken.', ...remarks];
  return remarks.length === 0 ? [] : [`${assets.length} taken.`, ...remarks];
}
