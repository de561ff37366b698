// SPDX-License-Identifier: Apache-2.0
// The status of a channel while it is being planned: the progress, and the state of each item so far. Items of the previous plan
// keep their state until they are read again, so that items on air are not shown as stopped.
import type { CreativeLibrary, CreativeSource } from '../ads/creative/creative.ts';
import type { Channel } from '../channels/channel.ts';
import type { ContentItem } from '../channels/playlist.ts';
import { sourceName } from '../channels/sourceName.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { Imported } from './ports.ts';
import { foundOf, urlsOf } from './readySchedule.ts';
import type { ChannelStatus, ItemStatus, Preparation } from './status.ts';

export type AwaitedSlate = { readonly ladder: Ladder; readonly source?: CreativeSource };

export type Planning = {
  contents: readonly ContentItem[];
  readonly results: Map<string, Imported>;
  slate?: AwaitedSlate;
  /** The status of each item once all are read, including those that do not fit the ladder. */
  statuses?: readonly ItemStatus[];
  /** The status of a live channel that is on air, while its backups are analysed. */
  soFar?: ChannelStatus;
};

/** A planning of a channel, with what it needs. */
export type PlanOf<Deps, Of extends Channel = Channel> = {
  readonly deps: Deps;
  readonly channel: Of;
  /** Whether to import its assets, or to analyse its origins, again. */
  readonly fresh: boolean;
  readonly freshAfter: number;
  readonly planning: Planning;
  /** The result of the previous planning, by any node. */
  readonly last: ChannelStatus | undefined;
};

const PREPARED = 'The channel is being prepared';

const sentenceOf = ({ step, assets, assetsRead, jobsAhead }: Preparation): string => {
  if (step === 'assets') return `${PREPARED}${assets > 0 ? `: ${assetsRead} of ${assets} assets imported` : ''}.`;
  const read = assets > 0 ? 'all assets are imported; ' : '';
  if (jobsAhead === undefined) return `${PREPARED}: ${read}waiting for the slate.`;
  if (jobsAhead === 0) return `${PREPARED}: ${read}the slate is being prepared.`;
  const jobs = jobsAhead === 1 ? '1 other job' : `${jobsAhead} other jobs`;
  return `${PREPARED}: ${read}the slate is queued behind ${jobs}.`;
};

/** Why a channel is not on air, for viewers: without anything about its sources. */
export const describePreparation = (status: Partial<ChannelStatus> | undefined): string =>
  status === undefined
    ? `${PREPARED}. Try again later.`
    : status.preparation
      ? `${sentenceOf(status.preparation)} Try again later.`
      : 'The channel has nothing to show: no item can be played, and no slate is available.';

/** Counted as people do, with the name that the console shows. */
const itemTitle = ({ index, url, entryId }: ItemStatus): string =>
  entryId !== undefined
    ? `Entry "${entryId}"`
    : url === undefined
      ? `Item ${index + 1} (placeholder)`
      : `Item ${index + 1} ("${sourceName(url)}")`;

function itemFault(item: ItemStatus): string[] {
  const { state, reason = '', url } = item;
  if (state !== 'failed' && state !== 'leftOut') return [];
  // Most reasons of failures name the URL.
  const source = state === 'leftOut' || url === undefined || reason.includes(url) ? '' : ` (${url})`;
  return [`${itemTitle(item)} does not play: ${reason}${source}.`];
}

export const itemFaults = (items: readonly ItemStatus[]): string[] => items.flatMap(itemFault);

const MAX_SENTENCES = 20;
export const joinSentences = (sentences: readonly string[]): string => sentences.slice(0, MAX_SENTENCES).join(' ');

function itemSoFar(item: ContentItem, index: number, planning: Planning, previous: ItemStatus | undefined): ItemStatus {
  const known = { index, ...(item.url === undefined ? {} : { url: item.url }) };
  const found = foundOf(item, planning.results);
  if (found?.ok === false) return { ...known, state: 'failed', reason: found.reason };
  if (previous !== undefined && (found === undefined || previous.state === 'ready')) return { ...previous, index };
  if (found === undefined) return { ...known, state: 'importing' };
  const { duration, warnings } = found.asset;
  return { ...known, state: 'ready', duration: flicksToSeconds(duration), warnings: [...warnings] };
}

function preparationOf({ contents, results, slate }: Planning, library: CreativeLibrary): Preparation {
  const read = { assets: urlsOf(contents).length, assetsRead: results.size };
  if (slate === undefined) return { step: 'assets', ...read };
  const jobsAhead = library.slateQueue(slate.ladder, slate.source);
  return { step: 'slate', ...read, ...(jobsAhead === undefined ? {} : { jobsAhead }) };
}

/** @param last the result of the previous planning */
export function statusSoFar(
  planning: Planning,
  library: CreativeLibrary,
  last: ChannelStatus | undefined,
): ChannelStatus {
  if (planning.soFar !== undefined) return planning.soFar;
  const previous = new Map(last?.items.flatMap((item) => (item.url === undefined ? [] : [[item.url, item] as const])));
  const items = planning.contents.map((item, index) => {
    const [known, planned] = [previous.get(item.url ?? ''), planning.statuses?.[index]];
    if (planned === undefined) return itemSoFar(item, index, planning, known);
    return planned.state === 'ready' && known?.state === 'ready' ? { ...known, index } : planned;
  });
  const preparation = preparationOf(planning, library);
  if (last !== undefined) {
    const isWaiting = planning.slate !== undefined || items.some(({ state }) => state === 'importing');
    return { ...last, items, ...(isWaiting ? { preparation } : {}) };
  }
  const stateReason = joinSentences([sentenceOf(preparation), ...itemFaults(items)]);
  return { state: 'enabled', stateReason, preparation, items };
}
