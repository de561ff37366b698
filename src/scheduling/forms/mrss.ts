// SPDX-License-Identifier: Apache-2.0
// A schedule as Media RSS: an item for each entry that plays an asset. The entry starts when the item becomes valid.
import { type ContentItem, type CuePoint, POST_ROLL } from '../../channels/playlist.ts';
import { groupBy, withoutUndefined } from '../../invariant.ts';
import { describeRefusal, type ReadFeedItem } from '../../mrss/feed.ts';
import { preferredContent } from '../../mrss/playlistOfFeed.ts';
import { type FeedLimits, readingFeed } from '../../mrss/readFeed.ts';
import { type FeedEntry, writingMrss } from '../../mrss/writeMrss.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { Entry, EntryBreaks } from '../schedule.ts';
import {
  type FieldName,
  type FlatEntry,
  fieldNames,
  flatten,
  type Reject,
  readFields,
  writeFields,
} from './entryFields.ts';
import { ENTRIES_IN_SLICE, MAX_ELEMENTS, MAX_ENTRIES, MAX_LENGTH, type ScheduleReading } from './reading.ts';

const limits: FeedLimits = {
  characters: MAX_LENGTH,
  items: MAX_ENTRIES,
  elements: MAX_ELEMENTS,
  notices: MAX_ELEMENTS,
};

export function* readingMrss(text: string, into: ScheduleReading): Sliced<void> {
  const feed = yield* readingFeed(text, undefined, limits);
  if ('refused' in feed) return into.error({ line: feed.line }, describeRefusal(feed));
  for (const { line, message } of feed.warnings) into.notice({ line }, message);
  const faults = groupBy(feed.faults, ({ item }) => item);
  for (const [index, item] of feed.items.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    const ofItem = faults.get(index) ?? [];
    if (ofItem.length > 0 && !into.next({ line: item.line })) return;
    for (const { line, path = 'url', message } of ofItem) into.error({ line, field: path }, message);
    if (ofItem.length === 0 && !into.read(item.line, (reject) => fieldsOfItem(item, reject))) return;
  }
}

/** A guid that is an id as it is. Other feeds have URLs as guids. */
const PLAIN_ID = /^[\w.:-]{1,64}$/;

function fieldsOfItem(item: ReadFeedItem, reject: Reject): FlatEntry {
  const { guid, title, description, validFrom, contents, entry = {} } = item;
  const content = preferredContent(contents);
  const fields = withoutUndefined({
    id: guid !== undefined && PLAIN_ID.test(guid) ? guid : undefined,
    title,
    description,
    duration: content?.duration,
    breaks: readBreaks(item, content?.duration, reject),
  });
  const written = { start: validFrom ?? '', url: content?.url ?? '', ...entry };
  return { ...fields, ...readFields(Object.entries(written), reject) };
}

/** Cue points in seconds. */
function readBreaks({ cuePoints, spliceType }: ReadFeedItem, duration: number | undefined, reject: Reject) {
  if (spliceType === 'percent' && duration === undefined)
    reject('breaks', 'must be in seconds, because the item has no duration; got per cent');
  return cuePoints?.map(({ line: _, spliceTime, ...cue }) => {
    const isPart = spliceType === 'percent' && spliceTime !== POST_ROLL;
    return { spliceTime: isPart ? (spliceTime * (duration ?? 0)) / 100 : spliceTime, ...cue };
  });
}

const isCueList = (breaks: EntryBreaks | undefined): breaks is readonly CuePoint[] => Array.isArray(breaks);

/** @param entries that play assets @param source the name of the feed, and its URL, which RSS requires */
export function* writingMrssSchedule(
  entries: readonly Entry[],
  source: { readonly name: string; readonly link: string },
): Sliced<string> {
  const flat = entries.map(flatten);
  const contents = flat.map(
    ({ url = '', duration, breaks }): ContentItem => ({
      sourceType: 'url',
      url,
      ...withoutUndefined({ duration, cuePoints: isCueList(breaks) ? breaks : undefined }),
    }),
  );
  const feedEntries = flat.map((entry): FeedEntry => {
    const { id = '', title, description, start, breaks } = entry;
    const own = fieldNames.filter((field) => {
      if (field === 'id') return !PLAIN_ID.test(id);
      return field === 'breaks' ? !isCueList(breaks) : !expressed.has(field);
    });
    return { guid: id, title, description, validFrom: start, fields: writeFields(entry, own) };
  });
  const feed = { title: source.name, link: source.link, playlist: { contents }, entries: feedEntries };
  return (yield* writingMrss(feed)).text;
}

/** What RSS and Media RSS have elements for. */
const expressed: ReadonlySet<FieldName> = new Set(['title', 'description', 'start', 'url', 'duration']);
