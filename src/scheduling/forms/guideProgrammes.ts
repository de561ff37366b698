// SPDX-License-Identifier: Apache-2.0
// The programmes of a guide, from what a channel has shown and will show. Breaks, and what an operator has inserted, are part of the
// programme around them.
import { withoutUndefined } from '../../invariant.ts';
import { isoText, type Millis, millis } from '../../time/units.ts';
import type { GuideFields } from '../schedule.ts';
import type { TimelineBreak } from '../timeline.ts';
import type { GuideProgramme } from './writeXmltv.ts';

/** A row of a timeline, or of the record of what was shown, in which breaks need not be known. */
export type GuideRow = {
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  readonly breaks?: readonly TimelineBreak[];
} & (
  | { readonly kind: 'entry'; readonly entryId: string; readonly title?: string }
  | { readonly kind: 'filler' | 'slate' | 'inserted' }
);

export type GuideOptions = {
  /** Of the channel: the title of filler, and of entries without one. */
  readonly name: string;
  readonly listsFiller: boolean;
};

/** Rows of one entry, or of filler. Their `id` is that of the entry. */
export type JoinedRows = {
  readonly id: string | undefined;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  readonly title: string | undefined;
  readonly rows: readonly GuideRow[];
};

/** What is inserted is part of what it divides. @param rows in order */
export function joinRows(rows: readonly GuideRow[]): JoinedRows[] {
  const joined: (JoinedRows & { endsAt: Millis; readonly rows: GuideRow[] })[] = [];
  for (const row of rows) {
    if (row.kind === 'inserted') continue;
    const id = row.kind === 'entry' ? row.entryId : undefined;
    const last = joined.at(-1);
    if (last === undefined || last.id !== id)
      joined.push({ id, ...timesOf(row), title: row.kind === 'entry' ? row.title : undefined, rows: [row] });
    else {
      last.endsAt = row.endsAt;
      last.rows.push(row);
    }
  }
  return joined;
}

/**
 * @param rows in order
 * @param fieldsOf what an entry states; undefined if it is not known any more
 */
export function programmesOf(
  rows: readonly GuideRow[],
  fieldsOf: (entryId: string) => GuideFields | undefined,
  options: GuideOptions,
): GuideProgramme[] {
  return joinRows(rows).flatMap((one) => (one.id === undefined ? fillerOf(one, options) : entryOf(one, one.id)));

  function entryOf({ startsAt, endsAt, title, rows: own }: JoinedRows, id: string): GuideProgramme[] {
    const content = contentOf(own);
    const { title: shown = title ?? options.name, isHidden, ...fields } = fieldsOf(id) ?? {};
    if (isHidden) return [];
    const seconds = content === undefined ? {} : { contentSeconds: Math.round(content) / 1000 };
    return [{ id, startsAt, endsAt, ...seconds, title: shown, ...guideFieldsOf(fields) }];
  }
}

const timesOf = ({ startsAt, endsAt }: GuideRow) => ({ startsAt, endsAt });

/** Milliseconds without breaks; undefined if they are not known. */
function contentOf(rows: readonly GuideRow[]): number | undefined {
  let content = 0;
  for (const { startsAt, endsAt, breaks } of rows) {
    if (breaks === undefined) return undefined;
    content += endsAt - startsAt - breaks.reduce((sum, { duration }) => sum + duration, 0);
  }
  return content;
}

/** What plays and when is no part of a guide: URLs of sources may contain secrets. */
function guideFieldsOf({
  titles,
  subtitle,
  description,
  descriptions,
  language,
  categories,
  ratings,
  images,
  season,
  episode,
  episodeNumbers,
  year,
  isRepeat,
}: GuideFields): GuideFields {
  const own = { titles, subtitle, description, descriptions, language, categories, ratings, images };
  return withoutUndefined({ ...own, season, episode, episodeNumbers, year, isRepeat });
}

const HOUR_MS = 3_600_000;

/** Guides show a grid of some hours, so filler is listed in programmes of at most an hour. */
function fillerOf({ startsAt, endsAt }: JoinedRows, { name, listsFiller }: GuideOptions): GuideProgramme[] {
  const programmes: GuideProgramme[] = [];
  for (let at = startsAt; listsFiller && at < endsAt; ) {
    const until = millis(Math.min(endsAt, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS));
    programmes.push({ id: `filler-${isoText(at)}`, startsAt: at, endsAt: until, title: name });
    at = until;
  }
  return programmes;
}
