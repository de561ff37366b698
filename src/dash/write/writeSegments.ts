// SPDX-License-Identifier: Apache-2.0
// The segments of the Representations of one AdaptationSet: SegmentTemplate with a SegmentTimeline wherever the URLs
// allow it, otherwise SegmentList (ISO/IEC 23009-1 5.3.9). Each element is complete, whether in the AdaptationSet or in a
// Representation. The standard lets a lower element inherit from a higher one (5.3.9.1), but in rx-player 4.5 and 3.33 it
// replaces the higher one: they would find no timeline and reject the MPD.
import { element } from '../../xml/write.ts';
import { type RepresentationRow, type Run, rangeOf, type Template } from './representationRow.ts';

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
  const templates = rows.map(({ template }) => template);
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
