// From a playlist to what can be put on air of it: assets found, fitted to the ladder, laid out with their breaks.
import { setImmediate as breath } from 'node:timers/promises';
import type { ContentItem } from '../channels/playlist.ts';
import type { SlotPlan } from '../channels/schedule/edition.ts';
import { planItem, type ReadyItem, type Slate } from '../channels/schedule/planSlots.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { fitToLadder } from '../timeline/ladderOf.ts';
import { languagesWithoutRung } from '../timeline/textRungs.ts';
import type { AssetSource, Imported } from './ports.ts';
import type { ItemStatus } from './status.ts';

const PARALLEL_IMPORTS = 4;

export type FoundItem = { readonly index: number; readonly item: ContentItem; readonly found: Imported };

const placeholder: Imported = {
  ok: false,
  reason: 'a placeholder has no URL of its own, so a channel cannot play it',
};

/** The different assets that a list names. */
export const urlsOf = (contents: readonly ContentItem[]): string[] => [
  ...new Set(contents.flatMap(({ url }) => (url === undefined ? [] : [url]))),
];

/** Undefined while its asset is being read. */
export const foundOf = (
  { sourceType, url }: ContentItem,
  results: ReadonlyMap<string, Imported>,
): Imported | undefined => (sourceType === 'placeholder' || url === undefined ? placeholder : results.get(url));

/**
 * The assets of a list, each imported once, a few at a time.
 * @param results takes each as it comes
 */
export async function findItems(
  contents: readonly ContentItem[],
  assets: AssetSource,
  freshAfter: number,
  results: Map<string, Imported>,
): Promise<FoundItem[]> {
  const waiting = urlsOf(contents);
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      results.set(url, await assets.find(url, freshAfter));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_IMPORTS }, work));
  return contents.map((item, index) => ({ index, item, found: foundOf(item, results)! }));
}

export const assetsOf = (items: readonly FoundItem[]): Asset[] =>
  items.flatMap(({ found }) => (found.ok ? [found.asset] : []));

const leftOutWarning = (language: string): string =>
  `its text in "${language}" is not shown: the channel went on air without a rung for it, and rungs cannot change on air; ` +
  'switch the channel off and on to take it in';

type Ready = { readonly slots: SlotPlan[]; readonly status: ItemStatus };

function readyItem({ index, item, found }: FoundItem, ladder: Ladder, slate: Slate | undefined): Ready {
  const known = { index, ...(item.url === undefined ? {} : { url: item.url }) };
  if (!found.ok) return { slots: [], status: { ...known, state: 'failed', reason: found.reason } };
  const { asset, key } = found;
  const warnings = [...asset.warnings, ...languagesWithoutRung(asset, ladder.rungs).map(leftOutWarning)];
  const measured = { ...known, duration: flicksToSeconds(asset.duration), warnings };
  const fit = fitToLadder(asset, ladder, key);
  if (!fit.ok) return { slots: [], status: { ...measured, state: 'leftOut', reason: fit.reason } };
  const ready: ReadyItem = { index, item, asset, renditions: fit.renditions };
  const { slots, reports } = planItem(ready, ladder.frameRate, slate);
  return { slots, status: { ...measured, state: 'ready', cuePoints: reports } };
}

/** Milliseconds of laying out after which viewers who wait are served: a list may hold a thousand films. */
const AT_A_TIME = 10;

export async function readySchedule(
  items: readonly FoundItem[],
  ladder: Ladder,
  slate: Slate | undefined,
): Promise<{ plans: SlotPlan[]; statuses: ItemStatus[] }> {
  const ready: Ready[] = [];
  let since = performance.now();
  for (const item of items) {
    ready.push(readyItem(item, ladder, slate));
    if (performance.now() - since < AT_A_TIME) continue;
    await breath();
    since = performance.now();
  }
  return { plans: ready.flatMap(({ slots }) => slots), statuses: ready.map(({ status }) => status) };
}
