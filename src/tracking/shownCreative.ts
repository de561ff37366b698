import type { Creative, InLineAd, Linear } from '../vast/response.ts';

const plays = ({ mediaFiles, mezzanines }: Linear): boolean =>
  mezzanines.length > 0 || mediaFiles.some(({ apiFramework }) => apiFramework === undefined);

/** The creative that is shown: the first whose media can be, because a script may stand beside it (VAST 4.2 §3.9). */
export function shownCreative({ creatives }: InLineAd): Creative | undefined {
  const linears = creatives.filter(({ linear }) => linear !== undefined);
  return linears.find(({ linear }) => plays(linear!)) ?? linears[0];
}
