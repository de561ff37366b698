// SPDX-License-Identifier: Apache-2.0
// The contract of the schedules of linear channels. Rules that a schema cannot express are in ../rules/scheduleFaults.ts.
import { type Static, Type } from 'typebox';
import {
  allOptional,
  bumpersField,
  closed,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  readOnlyFields,
  recordId,
  text,
  textMap,
  time,
  urlText,
} from '../../../http/contract/commonContract.ts';
import { named, namedBody, namedObject } from '../../../http/contract/named.ts';
import { cuePoint } from '../../../http/contract/playlistContract.ts';
import { MAX_ENDED } from '../../../scheduling/schedule.ts';
import { entrySource, seconds, upid } from './entryContract.ts';

const optional = Type.Optional;
export const MAX_ENTRIES = 20_000;

const entryId = text('1 to 128 letters, digits or ._~@:-, starting with a letter or digit. Unique in the schedule.', {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._~@:-]{0,127}$',
  examples: ['news-1800'],
});
/** Entries of rules have longer ids, which contain these. */
const ruleId = text('1 to 40 letters, digits or ._~:-, starting with a letter or digit.', {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._~:-]{0,39}$',
});
const breakRule = named(
  'BreakRule',
  closed('Breaks at regular distances, moved to the chapters or cut points of the asset. Seconds of the entry.', {
    every: seconds('Seconds between breaks.', { minimum: 1 }),
    firstAfter: optional(seconds('The first break. Default: `every`.')),
    notInLast: optional(seconds('No break starts in the last so many seconds. Default: 0.')),
    maxDuration: optional(
      seconds('Duration of a break. Default: `breakDuration` of the channel.', {
        exclusiveMinimum: 0,
        maximum: 86_400,
      }),
    ),
    maxAds: optional(integer('Maximum number of ads of a break.', { minimum: 1, maximum: 1000 })),
    maxPerHour: optional(integer('Maximum number of breaks in an hour of content.', { minimum: 1, maximum: 1000 })),
  }),
);
const markers = Type.Literal('markers', { description: 'The ad markers of the asset.' });
const entryBreaks = Type.Union(
  [
    Type.Array(cuePoint, { maxItems: 500, description: 'Cue points. Positions count from the start of the entry.' }),
    markers,
    breakRule,
  ],
  {
    description:
      'Cue points, `markers` for the ad markers of the asset, or a rule. `[]` for none. Default: `breaks` of the schedule.',
  },
);
const LANGUAGE = '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$';
const language = text('A language tag (RFC 5646).', { pattern: LANGUAGE, maxLength: 35, examples: ['en'] });
const line = (description: string, maxLength = 500) => text(description, { maxLength });
const byLanguage = (description: string, maxLength: number) =>
  textMap(description, Type.String({ maxLength }), {
    propertyNames: { pattern: LANGUAGE, description: 'A language tag (RFC 5646).' },
    maxProperties: 50,
  });

const guideFields = allOptional({
  title: line('Title of the programme.'),
  titles: byLanguage('Titles by language.', 500),
  subtitle: line('Title of the episode.'),
  description: line('What it is about.', 5000),
  descriptions: byLanguage('Descriptions by language.', 5000),
  language,
  categories: list(Type.String({ maxLength: 100 }), 'Genres.', { maxItems: 50 }),
  ratings: list(
    closed('A rating.', {
      value: line('Such as `TV-PG`.', 100),
      system: optional(line('Who rates, such as `FSK`.', 100)),
    }),
    'Ratings.',
    { maxItems: 20 },
  ),
  images: list(
    closed('An image.', {
      url: urlText('http(s) URL.'),
      width: optional(integer('Pixels.', { minimum: 1, maximum: 100_000 })),
      height: optional(integer('Pixels.', { minimum: 1, maximum: 100_000 })),
    }),
    'Images, the most important first.',
    { maxItems: 20 },
  ),
  season: integer('From 1.', { minimum: 1, maximum: 100_000 }),
  episode: integer('From 1.', { minimum: 1, maximum: 100_000 }),
  episodeNumbers: list(
    closed('A number in a system.', { value: line('The number.', 200), system: optional(line('The system.', 100)) }),
    'Further episode numbers.',
    { maxItems: 20 },
  ),
  year: integer('Year of production.', { minimum: 1800, maximum: 9999 }),
  isRepeat: flag('Whether it was shown before.'),
  isHidden: flag('Whether the guide leaves it out.'),
});

const entryFields = {
  source: entrySource,
  duration: optional(
    seconds(
      'Seconds. The entry has exactly this length: it is cut, or filled. Default: that of its source and breaks.',
      {
        exclusiveMinimum: 0,
      },
    ),
  ),
  breaks: optional(entryBreaks),
  bumpers: optional(bumpersField(' `{}` for none. Default: those of the channel.')),
  upid: optional(upid),
  ...guideFields,
};
const start = text('ISO 8601 with a time zone. Default: after the entry before it.', {
  maxLength: 40,
  examples: ['2026-12-01T18:00:00Z'],
});
export const scheduleEntry = namedBody('ScheduleEntry', 'An entry of a schedule: a programme of the guide.', {
  id: entryId,
  start: optional(start),
  ...entryFields,
});

const date = text('YYYY-MM-DD.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const timeOfDay = (description: string) =>
  text(description, { pattern: '^\\d{2}:\\d{2}(:\\d{2})?$', examples: ['18:00'] });
const scheduleRule = namedBody('ScheduleRule', 'Expands into entries, on each of its days.', {
  id: ruleId,
  at: timeOfDay('Local time of day, HH:MM or HH:MM:SS.'),
  repeatUntil: optional(
    timeOfDay('Repeats its entries until this time of day, of the next day if it is not later than `at`.'),
  ),
  timeZone: optional(text('IANA time zone. Default: UTC.', { maxLength: 64, examples: ['Europe/Berlin'] })),
  days: optional(
    list(oneOf(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'A day of the week.'), 'Default: all.', {
      minItems: 1,
      maxItems: 7,
    }),
  ),
  from: optional(date),
  until: optional(date),
  except: optional(list(date, 'Days on which it does not apply.', { maxItems: 1000 })),
  ended: optional(
    list(
      closed('A live entry of an occurrence.', {
        entryId,
        at: text('When it was ended. ISO 8601.', { maxLength: 40 }),
      }),
      'Live entries that were ended by hand or by their origin, the newest last.',
      { maxItems: MAX_ENDED },
    ),
  ),
  order: optional(oneOf(['sequence', 'alternate'], '`alternate`: one of its entries each day, in turn.')),
  entries: list(closed('An entry of the rule.', { id: ruleId, ...entryFields }), 'What it shows.', {
    minItems: 1,
    maxItems: 200,
  }),
});

const settings = {
  rules: list(scheduleRule, 'Rules that expand into entries.', { maxItems: 200 }),
  fillerPlaylistId: text(
    'ID of the playlist that fills gaps. Default: the playlist of the channel; without one, slate.',
    {
      maxLength: 128,
    },
  ),
  breaks: Type.Union([markers, breakRule], { description: 'For entries that have no `breaks`.' }),
};

export const scheduleBody = namedBody('ScheduleBody', 'A schedule, as sent in requests.', {
  entries: list(scheduleEntry, 'Entries in order.', { maxItems: MAX_ENTRIES }),
  ...allOptional(settings),
});

/** An entry of a PATCH: its fields are merged into those of the entry with this id; null removes one. */
const patchedEntry = Type.Unsafe<Record<string, unknown> & { id: string; after?: string }>(
  Type.Object(
    { id: entryId, after: optional(text('ID of the entry that it follows.', { maxLength: 128 })) },
    {
      additionalProperties: {},
      description: 'Fields of an entry. Those of an entry that exists are merged; `null` removes one.',
    },
  ),
);
export const schedulePatch = namedBody('SchedulePatch', 'Changes of a schedule.', {
  entries: optional(list(patchedEntry, 'Entries to add or change.', { maxItems: 2000 })),
  remove: optional(list(Type.String({ maxLength: 128 }), 'IDs of entries to remove.', { maxItems: MAX_ENTRIES })),
  rules: optional(Type.Union([settings.rules, Type.Null()])),
  fillerPlaylistId: optional(Type.Union([settings.fillerPlaylistId, Type.Null()])),
  breaks: optional(Type.Union([settings.breaks, Type.Null()])),
});

const warning = text('What an operator should know, in one sentence.');
export const scheduleResponse = namedObject('Schedule', {
  entries: list(scheduleEntry, 'Entries in order.'),
  ...allOptional(settings),
  unread: optional(
    integer('Number of entries whose length is not known yet, because their source is being read. Absent if it is 0.'),
  ),
  warnings: optional(list(warning, 'Only in responses to changes.')),
  createdAt: time,
  modifiedAt: time,
  modifiedBy: optional(Type.String()),
  __v: integer('Number of changes.'),
});

/** Ignored in requests, so that a client can send back a schedule that it has read. */
export const ignoredFields = [...readOnlyFields, 'unread', 'warnings'] as const;

const timelineRow = object('What is shown, in order and without gaps.', {
  kind: oneOf(['entry', 'filler', 'slate', 'inserted'], '`inserted`: by an operator.'),
  startsAt: time,
  endsAt: time,
  entryId: optional(text('ID of the entry.')),
  ruleId: optional(text('ID of the rule that the entry comes from.')),
  insertedId: optional(text('ID of the inserted break.')),
  title: optional(Type.String()),
  plannedStart: optional(text('The start that the entry states. ISO 8601.')),
  cut: optional(
    number('Seconds of the entry that are not shown: the next one starts, or it is longer than its `duration`.'),
  ),
  breaks: list(object('A break.', { startsAt: time, duration: number('Seconds.') }), 'Breaks, where they land.'),
});
export const scheduleTimeline = namedObject('ScheduleTimeline', {
  from: time,
  to: time,
  timeline: list(timelineRow, 'What is shown.'),
  warnings: list(warning, 'What an operator should know, a sentence each.'),
});

const place = {
  line: integer('Line of the document, from 1.'),
  field: optional(text('Field of the entry. In JSON, a JSON Pointer into the document.')),
  message: text('What is wrong. It continues the name of the field, or of the entry.'),
};
export const scheduleImport = namedObject('ScheduleImport', {
  entries: integer('Number of entries that were read.'),
  skipped: integer('Number of entries that are left out because of errors, or because they start outside the range.'),
  errors: list(object('An error, which costs its entry.', place), 'At most 500.'),
  errorCount: integer('Number of errors, listed or not.'),
  notices: list(object('Something that was ignored without loss.', place), 'At most 500.'),
  warnings: list(warning, 'What an operator should know, a sentence each.'),
  timeline: optional(list(timelineRow, 'What the schedule would result in. With `dryRun` only.')),
});

export type ScheduleImport = Static<typeof scheduleImport>;
export type ScheduleBody = Static<typeof scheduleBody>;
const { isHidden: _, ...programmeFields } = guideFields;
export const guideResponse = namedObject('Guide', {
  channel: Type.Object({ id: recordId, displayNames: Type.Array(Type.Object({ text: Type.String() })) }),
  programmes: Type.Array(
    namedObject('GuideProgramme', {
      id: text('That of its entry, or `filler-` and its start.'),
      start: time,
      end: time,
      contentSeconds: optional(number('Seconds without breaks, if they are known.')),
      ...programmeFields,
    }),
  ),
});

export type ScheduleTimeline = Static<typeof scheduleTimeline>;
export type SchedulePatch = Static<typeof schedulePatch>;
export type ScheduleResponse = Static<typeof scheduleResponse>;
