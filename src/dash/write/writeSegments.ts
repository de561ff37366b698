// SPDX-License-Identifier: Apache-2.0
// The segments of the Representations of one AdaptationSet: SegmentTemplate with a SegmentTimeline wherever the URLs
// allow it, otherwise SegmentList (ISO/IEC 23009-1 5.3.9). Each element is complete, whether in the AdaptationSet or in a
// Representation. The standard lets a lower element inherit from a higher one (5.3.9.1), but in rx-player 4.5 and 3.33 it
// replaces the higher one: they would find no timeline and reject the MPD.
import { flicks, flicksToTicks } from '../../time/units.ts';
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { Cell, Clip } from '../../timeline/asset/clip.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { element } from '../../xml/write.ts';

/** Segments `first` to `end − 1` of a cell. */
export type RepresentationRow = {
  /** Representation@id */
  readonly id: string;
  readonly clip: Clip;
  readonly cell: Cell;
  readonly first: number;
  readonly end: number;
};

/**
 * The media time of this rendition, as browsers count it, at `sinceStart` flicks of the Period. The lag of a rendition is
 * compensated; otherwise it would have a hole at every Period border.
 */
function mediaTime({ clip, cell: { rendition, track } }: RepresentationRow, sinceStart: number): number {
  const time = flicks(clip.asset.parts[clip.part]!.zero + clip.from + sinceStart);
  return flicksToTicks(time, rendition.timescale) + (track.lag ?? 0) - (track.ignoredDelay ?? 0);
}

/** The media time at which the Period starts; it never changes (law 7). */
const presentationTimeOffset = (row: RepresentationRow): number => mediaTime(row, 0);

/**
 * The media time at which segment `index` starts. The outer borders of audio are written as those of the Period, up to half
 * an audio frame away, because a gap of a few samples at a Period's start can stop dash.js for good. With `$Time$` the URL
 * contains the border, so it is written exactly.
 */
function border(row: RepresentationRow, index: number): number {
  const { clip, cell } = row;
  const isExact = cell.rendition.kind !== 'audio' || cell.track.urls.kind === 'time';
  if (!isExact && index === cell.first) return mediaTime(row, 0);
  if (!isExact && index === cell.end) return mediaTime(row, clip.duration);
  return cell.track.borders[index]! - (cell.track.ignoredDelay ?? 0);
}

/** S elements (5.3.9.6.2); consecutive segments of equal duration become one S with @r. */
function timeline(row: RepresentationRow): string {
  const { first, end } = row;
  const durationOf = (index: number): number => border(row, index + 1) - border(row, index);
  const runs: string[] = [];
  let index = first;
  while (index < end) {
    const duration = durationOf(index);
    let next = index + 1;
    while (next < end && durationOf(next) === duration) next += 1;
    const repeats = next - index - 1;
    const t = index === first ? border(row, index) : undefined;
    runs.push(element('S', { t, d: duration, r: repeats || undefined }));
    index = next;
  }
  return element('SegmentTimeline', {}, ...runs);
}

const escapeTemplate = (url: string): string => url.replaceAll('$', '$$$$');
const rangeOf = ({ range }: MediaRef): string | undefined =>
  range && `${range.start}-${range.start + range.length - 1}`;

type Template = { readonly initialization: string | undefined; readonly media: string; readonly startNumber?: number };

/** The template of URLs with numbers or times; undefined for others. */
function templateOf({ cell, first }: RepresentationRow): Template | undefined {
  const { urls, init } = cell.track;
  if (init?.range !== undefined) return undefined;
  const initialization = init && escapeTemplate(init.url);
  if (urls.kind === 'number') {
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

const sameTimeline = (a: RepresentationRow, b: RepresentationRow): boolean => {
  if (a.cell.rendition.timescale !== b.cell.rendition.timescale) return false;
  if (a.end - a.first !== b.end - b.first || presentationTimeOffset(a) !== presentationTimeOffset(b)) return false;
  for (let offset = 0; offset <= a.end - a.first; offset += 1) {
    if (border(a, a.first + offset) !== border(b, b.first + offset)) return false;
  }
  return true;
};

const writeTemplate = (row: RepresentationRow, template: Template, line: string): string =>
  element(
    'SegmentTemplate',
    {
      timescale: row.cell.rendition.timescale,
      presentationTimeOffset: presentationTimeOffset(row),
      startNumber: template.startNumber,
      initialization: template.initialization,
      media: template.media,
    },
    line,
  );

function writeList(row: RepresentationRow, line: string): string {
  const { cell } = row;
  const { init } = cell.track;
  const segments: string[] = [];
  for (let index = row.first; index < row.end; index += 1) {
    const ref = segmentUrl(cell.track, index);
    segments.push(element('SegmentURL', { media: ref.url, mediaRange: rangeOf(ref) }));
  }
  return element(
    'SegmentList',
    { timescale: cell.rendition.timescale, presentationTimeOffset: presentationTimeOffset(row) },
    init ? element('Initialization', { sourceURL: init.url, range: rangeOf(init) }) : '',
    line,
    ...segments,
  );
}

export type SetSegments = {
  /** For the AdaptationSet; empty when each Representation has its own. */
  readonly shared: string;
  /** For each Representation; empty strings when the AdaptationSet has the segments. */
  readonly own: readonly string[];
};

/**
 * One template for the whole AdaptationSet if its Representations differ only in their ids (5.3.9.4.4), otherwise one
 * template or list for each.
 */
export function writeSegments(rows: readonly RepresentationRow[]): SetSegments {
  const templates = rows.map(templateOf);
  const isSameTimeline = rows.map((row, index) => index === 0 || sameTimeline(row, rows[0]!));
  const first = timeline(rows[0]!);
  const common = templates[0] && identified(templates[0], rows[0]!.id);
  const isShared =
    rows.length > 1 &&
    common !== undefined &&
    rows.every(
      ({ id }, index) =>
        isSameTimeline[index] &&
        templates[index] !== undefined &&
        sameTemplate(identified(templates[index], id), common),
    );
  if (isShared) return { shared: writeTemplate(rows[0]!, common, first), own: rows.map(() => '') };
  const own = rows.map((row, index) => {
    const line = isSameTimeline[index] ? first : timeline(row);
    const template = templates[index];
    return template === undefined ? writeList(row, line) : writeTemplate(row, template, line);
  });
  return { shared: '', own };
}
