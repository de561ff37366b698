// SPDX-License-Identifier: Apache-2.0
// What the ads of earlier steps leave of a break, as far as their creatives are ready now.
import type { Bumpers } from '../../ads/pod/fitPod.ts';
import type { ViewerCounts } from '../../demand/viewerCounts.ts';
import { millis } from '../../time/units.ts';
import type { FreeAfter } from '../request/requestSteps.ts';
import { type AdChannel, awaitCreatives, freeAfter, LOOKUP_MS, type PodBreak, type PodDeps } from './choosePod.ts';

/**
 * An ad whose creative is not ready leaves its time to the next step.
 * @param readCounts what frequency caps count; read at most once
 */
export function createFreeAfter(
  channel: AdChannel,
  adBreak: PodBreak,
  bumpers: Bumpers,
  deps: PodDeps,
  readCounts: () => Promise<ViewerCounts | undefined> = async () => undefined,
): FreeAfter {
  let reading: Promise<ViewerCounts | undefined> | undefined;
  return async (ads, variables) => {
    // House lists are shown again only in what later steps leave free, too.
    const once = ads.map(({ isFiller: _, ...one }) => one);
    const outcome = { ads: once, warnings: [], dropped: [], errors: [], ...(variables ? { variables } : {}) };
    const closeAt = millis(deps.now() + LOOKUP_MS);
    const tried = await awaitCreatives(channel, { outcome, closeAt }, deps);
    reading ??= readCounts();
    return freeAfter(channel, adBreak, { bumpers, seen: '', viewerCounts: await reading }, tried);
  };
}
