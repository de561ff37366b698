// The shapes of reports: what may be asked, and what is answered.
import { type Static, Type } from 'typebox';
import { dimensions } from '../reports/catalogue.ts';
import { time } from './contract.ts';

const optional = Type.Optional;
const timestamp = (what: string) =>
  optional(
    Type.Number({ minimum: 0, maximum: 8.64e15, description: `${what}, UNIX seconds; above 1e11 it is milliseconds` }),
  );

export const reportQuery = Type.Object({
  start: timestamp('the first instant: 24 h before end when omitted'),
  end: timestamp('the instant after the last: now when omitted'),
  interval: optional(
    Type.Number({
      minimum: 1000,
      description:
        'length of a row, milliseconds; rounded up to what the store tells apart, the answer says to what. When omitted, as long as gives 300 rows at most',
    }),
  ),
  channel: optional(
    Type.String({
      pattern: '^[^\\p{Cc}\\p{Cs}]{1,128}$',
      description: 'id of a channel: only what is of this channel',
    }),
  ),
  by: optional(
    Type.Enum([...dimensions], {
      description: 'a row for each value of this, its `key`; only what the report can be told apart by',
    }),
  ),
});

export const reportAnswer = Type.Object({
  system: Type.String(),
  report: Type.String(),
  start: time,
  end: time,
  interval: Type.Integer({ description: 'milliseconds from one row to the next' }),
  fields: Type.Array(
    Type.Object({
      name: Type.String(),
      unit: Type.String(),
      description: Type.String({ description: 'what it counts' }),
    }),
  ),
  rows: Type.Array(
    Type.Object(
      { time, key: optional(Type.String({ description: 'of what `by` names' })) },
      { additionalProperties: Type.Unknown(), description: 'a number for each field, from `time` for one interval' },
    ),
  ),
  totals: Type.Object({}, { additionalProperties: Type.Number(), description: 'each field over the whole range' }),
});

type AnsweredReport = Static<typeof reportAnswer>;
export type ReportDimension = NonNullable<Static<typeof reportQuery>['by']>;
/** Fields have the names that `fields` lists, which no static type can know. */
export type ReportAnswer = Omit<AnsweredReport, 'rows' | 'totals'> & {
  rows: (AnsweredReport['rows'][number] & Record<string, string | number | undefined>)[];
  totals: Record<string, number>;
};
