// SPDX-License-Identifier: Apache-2.0
// The listed segments of the Representations of one AdaptationSet, as numbers and URLs and as elements: SegmentTemplate with a
// SegmentTimeline wherever the URLs allow it, otherwise SegmentList (ISO/IEC 23009-1 5.3.9).
import { defined, invariant, isNonEmpty } from '../../invariant.ts';
import { flicks, flicksToTicks } from '../../time/units.ts';
import type { MediaRef, SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import { type Cell, type Clip, cutPointOf, partOfClip } from '../../timeline/asset/clip.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { element } from '../../xml/write.ts';

/** @param index from 0 to the number of segments */
export const borderOf = ({ borders }: Track, index: number): number =>
  defined(borders[index], 'a track has a border on each side of its segments');

/** Consecutive segments of equal duration: an S element (5.3.9.6.2). */
export type Run = { readonly t: number; readonly d: number; readonly count: number };

export type Template = {
  readonly initialization: string | undefined;
  readonly media: string;
  readonly startNumber?: number;
};

export type RepresentationRow = {
  /** Representation@id */
  readonly id: string;
  readonly timescale: number;
  /** The media time at which the Period starts; it never changes (law 7). */
  readonly presentationTimeOffset: number;
  /** Each as long as possible. */
  readonly runs: readonly Run[];
  /** Undefined for URLs that follow no pattern. */
  readonly template: Template | undefined;
  readonly init: MediaRef | undefined;
  /** The SegmentURL elements of a SegmentList. */
  listUrls(): string[];
};

/**
 * The media time of this rendition, as browsers count it, at `sinceStart` flicks of the Period. The lag of a rendition is
 * compensated; otherwise it would have a hole at every Period border. At the start of media that an edit list moves to before
 * media time 0 it is compensated as far as possible, because MPDs cannot state negative times.
 */
function mediaTime(clip: Clip, { rendition, track }: Cell, sinceStart: number): number {
  const { zero } = partOfClip(clip);
  const at = (since: number): number => {
    const time = flicks(zero + clip.from + since);
    return flicksToTicks(time, rendition.timescale) + (track.lag ?? 0) - (track.ignoredDelay ?? 0);
  };
  return at(sinceStart) + Math.max(0, -at(0));
}

/**
 * The media time at which segment `index` starts. The outer borders of audio are written as those of the Period, up to half
 * an audio frame away, because a gap of a few samples at a Period's start can stop dash.js for good. With `$Time$` the URL
 * contains the border, so it is written exactly.
 *
 * Slate and ads of a break that ends early become shorter at a cut point when segments before it are already listed. So the
 * borders at their cut points are written alike, whether the clip ends there or not (law 1).
 */
function border(clip: Clip, cell: Cell, index: number): number {
  const isExact = cell.rendition.kind !== 'audio' || cell.track.urls.kind === 'time';
  if (!isExact && index === cell.first) return mediaTime(clip, cell, 0);
  if (!isExact && index === cell.end) return mediaTime(clip, cell, clip.duration);
  const isContent = clip.kind === 'content';
  const point = isExact || isContent ? undefined : cutPointOf(cell, index, partOfClip(clip));
  if (point !== undefined) return mediaTime(clip, cell, point - clip.from);
  return Math.max(0, borderOf(cell.track, index) - (cell.track.ignoredDelay ?? 0));
}

/** Appends segments to runs; one that does not start where the last one ends starts a run. */
export function appendRun(runs: Run[], { t, d, count }: Run): void {
  const last = runs.at(-1);
  if (last !== undefined && last.d === d && last.t + last.count * last.d === t) {
    runs[runs.length - 1] = { ...last, count: last.count + count };
  } else runs.push({ t, d, count });
}

function runsOf(clip: Clip, cell: Cell, first: number, end: number): Run[] {
  const runs: Run[] = [];
  let t = border(clip, cell, first);
  for (let index = first; index < end; ) {
    let next = border(clip, cell, index + 1);
    const run = { t, d: Math.max(1, next - t), count: 0 };
    do {
      t = next;
      run.count += 1;
      index += 1;
      if (index < end) next = border(clip, cell, index + 1);
    } while (index < end && next - t === run.d);
    runs.push(run);
  }
  return runs;
}

const escapeTemplate = (url: string): string => url.replaceAll('$', '$$$$');
const rangeOf = ({ range }: MediaRef): string | undefined =>
  range && `${range.start}-${range.start + range.length - 1}`;

/** SegmentTemplate@startNumber is an xs:unsignedInt (5.3.9.2.2); some origins count in milliseconds. */
const MAX_NUMBER = 2 ** 32 - 1;

/** The template of URLs with numbers or times; undefined for others. @param first the first listed segment */
export function templateOf(urls: SegmentUrls, first: number, init: MediaRef | undefined): Template | undefined {
  if (init?.range !== undefined) return undefined;
  const initialization = init && escapeTemplate(init.url);
  if (urls.kind === 'number') {
    if (urls.first + first > MAX_NUMBER) return undefined;
    const number = urls.width > 1 ? `$Number%0${urls.width}d$` : '$Number$';
    const media = escapeTemplate(urls.prefix) + number + escapeTemplate(urls.suffix);
    return { initialization, media, startNumber: urls.first + first };
  }
  if (urls.kind === 'time') {
    const time = urls.width > 1 ? `$Time%0${urls.width}d$` : '$Time$';
    return { initialization, media: escapeTemplate(urls.prefix) + time + escapeTemplate(urls.suffix) };
  }
  return undefined;
}

export function segmentElement(track: Track, index: number): string {
  const ref = segmentUrl(track, index);
  return element('SegmentURL', { media: ref.url, mediaRange: rangeOf(ref) });
}

/** Segments `first` to `end − 1` of a cell, in a Period of its clip. */
export const representationRow = (
  id: string,
  clip: Clip,
  cell: Cell,
  first: number,
  end: number,
): RepresentationRow => ({
  id,
  timescale: cell.rendition.timescale,
  presentationTimeOffset: mediaTime(clip, cell, 0),
  runs: runsOf(clip, cell, first, end),
  template: templateOf(cell.track.urls, first, cell.track.init),
  init: cell.track.init,
  listUrls: () => Array.from({ length: end - first }, (_, offset) => segmentElement(cell.track, first + offset)),
});

/** The URL with `$RepresentationID$` in place of the last occurrence of the id. */
function withIdentifier(url: string, id: string): string {
  const at = url.lastIndexOf(id);
  return at < 0 ? url : `${url.slice(0, at)}$RepresentationID$${url.slice(at + id.length)}`;
}

const identified = ({ initialization, media, ...rest }: Template, id: string): Template => ({
  ...rest,
  initialization: initialization && withIdentifier(initialization, id),
  media: withIdentifier(media, id),
});

const sameTemplate = (a: Template, b: Template): boolean =>
  a.media === b.media && a.initialization === b.initialization && a.startNumber === b.startNumber;

const sameRun = (a: Run, b: Run | undefined): boolean => a.t === b?.t && a.d === b.d && a.count === b.count;

export const sameTimeline = (a: RepresentationRow, b: RepresentationRow): boolean =>
  a.timescale === b.timescale &&
  a.presentationTimeOffset === b.presentationTimeOffset &&
  a.runs.length === b.runs.length &&
  a.runs.every((run, index) => sameRun(run, b.runs[index]));

/** S elements (5.3.9.6.2). @t is written where it does not follow from the element before. */
function timeline({ runs }: RepresentationRow): string {
  let next: number | undefined;
  const elements = runs.map(({ t, d, count }) => {
    const follows = t === next;
    next = t + count * d;
    return element('S', { t: follows ? undefined : t, d, r: count - 1 || undefined });
  });
  return element('SegmentTimeline', {}, ...elements);
}

const writeTemplate = (row: RepresentationRow, template: Template, line: string): string =>
  element(
    'SegmentTemplate',
    {
      timescale: row.timescale,
      presentationTimeOffset: row.presentationTimeOffset,
      startNumber: template.startNumber,
      initialization: template.initialization,
      media: template.media,
    },
    line,
  );

const writeList = ({ timescale, presentationTimeOffset, init, listUrls }: RepresentationRow, line: string): string =>
  element(
    'SegmentList',
    { timescale, presentationTimeOffset },
    init ? element('Initialization', { sourceURL: init.url, range: rangeOf(init) }) : '',
    line,
    ...listUrls(),
  );

type SetSegments = {
  /** For the AdaptationSet; empty when each Representation has its own. */
  readonly shared: string;
  /** For each Representation; none when the AdaptationSet has the segments. */
  readonly own: readonly string[];
};

/**
 * One template for the whole AdaptationSet if its Representations differ only in their ids (5.3.9.4.4), otherwise one
 * template or list for each. Each element is complete. The standard lets a lower element inherit from a higher one (5.3.9.1), but in
 * rx-player 4.5 and 3.33 it replaces the higher one: they would find no timeline and reject the MPD.
 */
export function writeSegments(rows: readonly RepresentationRow[]): SetSegments {
  invariant(isNonEmpty(rows), 'a set has a Representation');
  const [first] = rows;
  const line = timeline(first);
  const common = first.template && identified(first.template, first.id);
  const isLike = (row: RepresentationRow): boolean => row === first || sameTimeline(row, first);
  const isShared =
    rows.length > 1 &&
    common !== undefined &&
    rows.every((row) => isLike(row) && row.template && sameTemplate(identified(row.template, row.id), common));
  if (isShared) return { shared: writeTemplate(first, common, line), own: [] };
  const own = rows.map((row) => {
    const ownLine = isLike(row) ? line : timeline(row);
    return row.template === undefined ? writeList(row, ownLine) : writeTemplate(row, row.template, ownLine);
  });
  return { shared: '', own };
}
