// What is known of a channel while it is being planned: how far that is, and what each item has come to so far. Items of the
// plan before keep their state until they are read again, so that nothing that plays appears to have stopped.
import type { CreativeLibrary, CreativeSource } from '../ads/creative/creative.ts';
import type { ContentItem } from '../channels/playlist.ts';
import { flicksToSeconds } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder.ts';
import type { Imported } from './ports.ts';
import { foundOf, urlsOf } from './readySchedule.ts';
import type { ChannelStatus, ItemStatus, Preparation } from './status.ts';

/** A slate that is waited for. */
export type AwaitedSlate = { readonly ladder: Ladder; readonly source?: CreativeSource };

/** A planning under way. */
export type Planning = {
  contents: readonly ContentItem[];
  /** By URL, those that were read. */
  readonly results: Map<string, Imported>;
  slate?: AwaitedSlate;
  /** Of each item, once all are read: which of them do not fit together. */
  statuses?: readonly ItemStatus[];
};

const PREPARED = 'The channel is being prepared';

const sentenceOf = ({ step, assets, assetsRead, jobsAhead }: Preparation): string => {
  if (step === 'assets') return `${PREPARED}${assets > 0 ? `: ${assetsRead} of ${assets} assets are read` : ''}.`;
  if (jobsAhead === undefined) return `${PREPARED}: its assets are read, and it waits for its slate.`;
  if (jobsAhead === 0) return `${PREPARED}: its assets are read, and its slate is being made.`;
  const jobs = jobsAhead === 1 ? '1 other job' : `${jobsAhead} other jobs`;
  return `${PREPARED}: its assets are read, and its slate waits behind ${jobs}.`;
};

/** What a viewer may know of a channel that is not on air: nothing of its sources. */
export const describePreparation = (status: ChannelStatus | undefined): string =>
  status === undefined
    ? `${PREPARED}. Try again soon.`
    : status.preparation
      ? `${sentenceOf(status.preparation)} Try again soon.`
      : 'The channel has nothing to show: none of its items can be played, and there is no slate.';

const itemFault = ({ index, state, reason, url }: ItemStatus): string[] =>
  state === 'failed' || state === 'leftOut'
    ? [`contents[${index}] (${url ?? 'placeholder'}) does not play: ${reason}.`]
    : [];

export const itemFaults = (items: readonly ItemStatus[]): string[] => items.flatMap(itemFault);

const MOST_SENTENCES = 20;
export const joinSentences = (sentences: readonly string[]): string => sentences.slice(0, MOST_SENTENCES).join(' ');

function itemSoFar(item: ContentItem, index: number, planning: Planning, before: ItemStatus | undefined): ItemStatus {
  const known = { index, ...(item.url === undefined ? {} : { url: item.url }) };
  const found = foundOf(item, planning.results);
  if (found?.ok === false) return { ...known, state: 'failed', reason: found.reason };
  if (before !== undefined && (found === undefined || before.state === 'ready')) return { ...before, index };
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

/** @param last what the planning before came to */
export function statusSoFar(
  planning: Planning,
  library: CreativeLibrary,
  last: ChannelStatus | undefined,
): ChannelStatus {
  const before = new Map(last?.items.flatMap((item) => (item.url === undefined ? [] : [[item.url, item] as const])));
  const items = planning.contents.map((item, index) => {
    const [known, judged] = [before.get(item.url ?? ''), planning.statuses?.[index]];
    if (judged === undefined) return itemSoFar(item, index, planning, known);
    return judged.state === 'ready' && known?.state === 'ready' ? { ...known, index } : judged;
  });
  const preparation = preparationOf(planning, library);
  if (last !== undefined) {
    const isWaiting = planning.slate !== undefined || items.some(({ state }) => state === 'importing');
    return { ...last, items, ...(isWaiting ? { preparation } : {}) };
  }
  const stateReason = joinSentences([sentenceOf(preparation), ...itemFaults(items)]);
  return { state: 'enabled', stateReason, preparation, items };
}
