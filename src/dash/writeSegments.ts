// The segments of one Representation in one Period: SegmentTemplate with a SegmentTimeline wherever the URLs allow,
// SegmentList where they do not (ISO/IEC 23009-1 5.3.9). Representations that agree share their template.
import { flicks, flicksToTicks } from '../time/units.ts';
import type { MediaRef } from '../timeline/asset.ts';
import type { Cell, Clip } from '../timeline/clip.ts';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import { element } from '../xml/write.ts';

/** Segments `first` to `end − 1` of a cell. */
export type RepresentationRow = {
  readonly clip: Clip;
  readonly cell: Cell;
  readonly first: number;
  readonly end: number;
};

const mediaTime = ({ clip, cell }: RepresentationRow, after: number): number =>
  flicksToTicks(flicks(clip.asset.parts[clip.part]!.zero + clip.from + after), cell.rendition.timescale);

/** The media time at which the Period starts: constant for as long as the Period is published (law 7). */
const presentationTimeOffset = (row: RepresentationRow): number => mediaTime(row, 0);

/**
 * Where segment `index` starts in media time. Audio's outer borders are told as the Period's own, up to half an audio
 * frame away: a gap of a few samples at a Period's start can stop dash.js for good. A `$Time$` tells the border itself.
 */
function border(row: RepresentationRow, index: number): number {
  const { clip, cell } = row;
  const isTold = cell.rendition.kind !== 'audio' || cell.track.urls.kind === 'time';
  if (!isTold && index === cell.first) return mediaTime(row, 0);
  if (!isTold && index === cell.end) return mediaTime(row, clip.duration);
  return cell.track.borders[index]!;
}

/** S elements (5.3.9.6.2), equal neighbours folded into @r. */
function timeline(row: RepresentationRow): string {
  const { first, end } = row;
  const lasts = (index: number): number => border(row, index + 1) - border(row, index);
  const runs: string[] = [];
  let index = first;
  while (index < end) {
    const duration = lasts(index);
    let next = index + 1;
    while (next < end && lasts(next) === duration) next += 1;
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

/** @media and @startNumber where the URLs are counted or timed, else undefined. */
function template({ cell, first }: RepresentationRow): { media: string; startNumber?: number } | undefined {
  const { urls, init } = cell.track;
  if (init?.range !== undefined) return undefined;
  if (urls.kind === 'number') {
    const number = urls.width > 1 ? `$Number%0${urls.width}d$` : '$Number$';
    const media = escapeTemplate(urls.prefix) + number + escapeTemplate(urls.suffix);
    return { media, startNumber: urls.first + first };
  }
  if (urls.kind === 'time') {
    const time = urls.width > 1 ? `$Time%0${urls.width}d$` : '$Time$';
    return { media: escapeTemplate(urls.prefix) + time + escapeTemplate(urls.suffix) };
  }
  return undefined;
}

const sameTimeline = (a: RepresentationRow, b: RepresentationRow): boolean => {
  if (a.end - a.first !== b.end - b.first || presentationTimeOffset(a) !== presentationTimeOffset(b)) return false;
  for (let offset = 0; offset <= a.end - a.first; offset += 1) {
    if (border(a, a.first + offset) !== border(b, b.first + offset)) return false;
  }
  return true;
};

/**
 * A template with the timeline for the whole AdaptationSet, when all its Representations agree on it; else nothing.
 */
export function sharedTemplate(rows: readonly RepresentationRow[]): string {
  const [lead] = rows;
  if (lead === undefined || rows.length < 2) return '';
  const templates = rows.map(template);
  const agrees = rows.every(
    (row, index) =>
      templates[index] !== undefined &&
      templates[index].startNumber === templates[0]!.startNumber &&
      row.cell.rendition.timescale === lead.cell.rendition.timescale &&
      sameTimeline(row, lead),
  );
  if (!agrees) return '';
  return element(
    'SegmentTemplate',
    {
      timescale: lead.cell.rendition.timescale,
      presentationTimeOffset: presentationTimeOffset(lead),
      startNumber: templates[0]!.startNumber,
    },
    timeline(lead),
  );
}

/** @param isShared whether the AdaptationSet has said timescale, offset, number and timeline already */
export function writeSegments(row: RepresentationRow, isShared: boolean): string {
  const { cell } = row;
  const { init } = cell.track;
  const found = template(row);
  if (found !== undefined) {
    const urls = { initialization: init && escapeTemplate(init.url), media: found.media };
    if (isShared) return element('SegmentTemplate', urls);
    return element(
      'SegmentTemplate',
      {
        timescale: cell.rendition.timescale,
        presentationTimeOffset: presentationTimeOffset(row),
        startNumber: found.startNumber,
        ...urls,
      },
      timeline(row),
    );
  }
  const segments: string[] = [];
  for (let index = row.first; index < row.end; index += 1) {
    const ref = segmentUrl(cell.track, index);
    segments.push(element('SegmentURL', { media: ref.url, mediaRange: rangeOf(ref) }));
  }
  return element(
    'SegmentList',
    { timescale: cell.rendition.timescale, presentationTimeOffset: presentationTimeOffset(row) },
    init ? element('Initialization', { sourceURL: init.url, range: rangeOf(init) }) : '',
    timeline(row),
    ...segments,
  );
}
