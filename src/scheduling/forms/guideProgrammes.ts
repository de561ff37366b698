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

type Open = {
  readonly id: string | undefined;
  readonly startsAt: Millis;
  readonly endsAt: Millis;
  /** Milliseconds without breaks; undefined if they are not known. */
  readonly content: number | undefined;
  readonly title: string | undefined;
};

/**
 * @param rows in order
 * @param fieldsOf what an entry states; undefined if it is not known any more
 */
export function programmesOf(
  rows: readonly GuideRow[],
  fieldsOf: (entryId: string) => GuideFields | undefined,
  options: GuideOptions,
): GuideProgramme[] {
  const joined: Open[] = [];
  for (const row of rows) {
    if (row.kind === 'inserted') continue;
    const id = row.kind === 'entry' ? row.entryId : undefined;
    const content = contentOf(row);
    const last = joined.at(-1);
    if (last === undefined || last.id !== id)
      joined.push({ id, ...timesOf(row), content, title: row.kind === 'entry' ? row.title : undefined });
    else {
      const sum = last.content === undefined || content === undefined ? undefined : last.content + content;
      joined[joined.length - 1] = { ...last, endsAt: row.endsAt, content: sum };
    }
  }
  return joined.flatMap((one) => (one.id === undefined ? fillerOf(one, options) : entryOf(one, one.id)));

  function entryOf({ startsAt, endsAt, content, title }: Open, id: string): GuideProgramme[] {
    const { title: own = title ?? options.name, isHidden, ...fields } = fieldsOf(id) ?? {};
    if (isHidden) return [];
    const seconds = content === undefined ? {} : { contentSeconds: Math.round(content) / 1000 };
    return [{ id, startsAt, endsAt, ...seconds, title: own, ...guideFieldsOf(fields) }];
  }
}

const timesOf = ({ startsAt, endsAt }: GuideRow) => ({ startsAt, endsAt });

const contentOf = ({ startsAt, endsAt, breaks }: GuideRow): number | undefined =>
  breaks && endsAt - startsAt - breaks.reduce((sum, { duration }) => sum + duration, 0);

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
function fillerOf({ startsAt, endsAt }: Open, { name, listsFiller }: GuideOptions): GuideProgramme[] {
  const programmes: GuideProgramme[] = [];
  for (let at = startsAt; listsFiller && at < endsAt; ) {
    const until = millis(Math.min(endsAt, (Math.floor(at / HOUR_MS) + 1) * HOUR_MS));
    programmes.push({ id: `filler-${isoText(at)}`, startsAt: at, endsAt: until, title: name });
    at = until;
  }
  return programmes;
}
