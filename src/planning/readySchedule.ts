// SPDX-License-Identifier: Apache-2.0
// From a playlist to the schedule that can go on air: assets are imported, fitted to the ladder and laid out with their breaks.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ContentItem } from '../channels/playlist.ts';
import type { SlotPlan } from '../channels/schedule/edition.ts';
import { planItem, type ReadyItem, type Slate } from '../channels/schedule/planSlots.ts';
import { defined } from '../invariant.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { fitToLadder } from '../timeline/ladder/ladderOf.ts';
import { languagesWithoutRung } from '../timeline/ladder/servedText.ts';
import { offAirText } from './offAirText.ts';
import type { AssetSource, Imported } from './ports.ts';
import type { ItemStatus } from './status.ts';

const PARALLEL_IMPORTS = 4;

export type FoundItem = { readonly index: number; readonly item: ContentItem; readonly found: Imported };

const placeholder: Imported = { ok: false, reason: 'a placeholder has no URL, so a channel cannot play it' };

export const urlsOf = (contents: readonly ContentItem[]): string[] => [
  ...new Set(contents.flatMap(({ url }) => (url === undefined ? [] : [url]))),
];

/** @returns undefined while the asset is being imported */
export const foundOf = (
  { sourceType, url }: ContentItem,
  results: ReadonlyMap<string, Imported>,
): Imported | undefined => (sourceType === 'placeholder' || url === undefined ? placeholder : results.get(url));

/** Does something with each URL of a playlist, a few at a time. */
export async function forEachUrl(
  contents: readonly ContentItem[],
  atOnce: number,
  work: (url: string) => Promise<unknown>,
): Promise<void> {
  const waiting = urlsOf(contents);
  const workOn = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) await work(url);
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
}

/** Imports the assets of a playlist. @param results receives each result as soon as it is available */
export async function findItems(
  contents: readonly ContentItem[],
  assets: AssetSource,
  freshAfter: number,
  results: Map<string, Imported>,
): Promise<FoundItem[]> {
  await forEachUrl(contents, PARALLEL_IMPORTS, async (url) => results.set(url, await assets.find(url, freshAfter)));
  const found = (item: ContentItem): Imported =>
    defined(foundOf(item, results), 'every URL of a playlist was imported');
  return contents.map((item, index) => ({ index, item, found: found(item) }));
}

export const assetsOf = (items: readonly FoundItem[]): Asset[] =>
  items.flatMap(({ found }) => (found.ok ? [found.asset] : []));

const textExcluded = (language: string, grace: number): string =>
  `its text in "${language}" is not listed, because the channel went on air without it; to add it, ${offAirText(grace)}`;

type ScheduleOptions = {
  /** Seconds of a break whose cue point has no maxDuration. */
  readonly breakDuration?: number | undefined;
  /** How long the life of a disabled channel continues, in milliseconds. */
  readonly grace: number;
};

type Ready = { readonly slots: SlotPlan[]; readonly status: ItemStatus };

function readyItem(
  { index, item, found }: FoundItem,
  ladder: Ladder,
  slate: Slate | undefined,
  { breakDuration, grace }: ScheduleOptions,
): Ready {
  const known = { index, ...(item.url === undefined ? {} : { url: item.url }) };
  if (!found.ok) return { slots: [], status: { ...known, state: 'failed', reason: found.reason } };
  const { asset, key } = found;
  const warnings = [
    ...asset.warnings,
    ...languagesWithoutRung(asset, ladder.rungs).map((one) => textExcluded(one, grace)),
  ];
  const measured = { ...known, duration: flicksToSeconds(asset.duration), warnings };
  const fit = fitToLadder(asset, ladder, key);
  if (!fit.ok) return { slots: [], status: { ...measured, state: 'leftOut', reason: fit.reason } };
  const ready: ReadyItem = { index, item, asset, renditions: fit.renditions };
  const { slots, reports } = planItem(ready, ladder.frameRate, slate, breakDuration);
  return { slots, status: { ...measured, state: 'ready', cuePoints: reports } };
}

/** After this time the event loop serves other requests: a playlist may have a thousand items. */
const MAX_BLOCKING_MS = 10;

export async function readySchedule(
  items: readonly FoundItem[],
  ladder: Ladder,
  slate: Slate | undefined,
  options: ScheduleOptions,
): Promise<{ plans: SlotPlan[]; statuses: ItemStatus[] }> {
  const ready: Ready[] = [];
  let since = performance.now();
  for (const item of items) {
    ready.push(readyItem(item, ladder, slate, options));
    if (performance.now() - since < MAX_BLOCKING_MS) continue;
    await yieldToEventLoop();
    since = performance.now();
  }
  return { plans: ready.flatMap(({ slots }) => slots), statuses: ready.map(({ status }) => status) };
}
