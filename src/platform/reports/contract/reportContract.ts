// SPDX-License-Identifier: Apache-2.0
// The contract of reports.

import { type Static, Type } from 'typebox';
import { integer, labelFilter, number, oneOf, text, time } from '../../../http/contract/commonContract.ts';
import { namedObject } from '../../../http/contract/named.ts';
import { dimensions } from './reportValues.ts';

const optional = Type.Optional;
const timestamp = (description: string) => optional(number(description, { minimum: 0, maximum: 8.64e15 }));

export const reportQuery = Type.Object({
  start: timestamp(
    'Start of the range in UNIX seconds; values above 1e11 are milliseconds. Default: 24 hours before `end`.',
  ),
  end: timestamp('End of the range, exclusive, in UNIX seconds; values above 1e11 are milliseconds. Default: now.'),
  interval: optional(
    number(
      'Length of a row in milliseconds. Rounded up to the resolution of the store; the response contains the length used. Default: the shortest length that results in at most 300 rows.',
      { minimum: 1000 },
    ),
  ),
  channel: optional(
    text('1 to 128 characters without control characters. Counts only the channel with this ID.', {
      pattern: '^[^\\p{Cc}\\p{Cs}]{1,128}$',
    }),
  ),
  label: optional({
    ...labelFilter,
    description:
      'Counts only channels that have one of these labels now. Repeated, or separated by commas. Not with `channel`.',
  }),
  by: optional(
    oneOf(
      [...dimensions],
      'Dimension to group by: one row for each of its values, named in `key`. The report must have this dimension.',
    ),
  ),
});

export const reportResponse = namedObject('Report', {
  system: Type.String(),
  report: Type.String(),
  start: time,
  end: time,
  interval: integer('Milliseconds from one row to the next.'),
  since: optional(
    text(
      'When the tenant was created, ISO 8601: nothing was counted before. Rows before it are zeros, and not in CSV.',
    ),
  ),
  fields: Type.Array(
    Type.Object({ name: Type.String(), unit: Type.String(), description: text('What the field counts.') }),
  ),
  rows: Type.Array(
    Type.Object(
      { time, key: optional(text('Value of the dimension in `by`.')) },
      {
        additionalProperties: Type.Unknown(),
        description: 'One number for each field, for the interval that starts at `time`.',
      },
    ),
  ),
  totals: Type.Object({}, { additionalProperties: Type.Number(), description: 'Each field over the whole range.' }),
});

type ReturnedReport = Static<typeof reportResponse>;
export type ReportDimension = NonNullable<Static<typeof reportQuery>['by']>;
/** The names of the fields are data (`fields`), so the static type cannot list them. */
export type ReportResponse = Omit<ReturnedReport, 'rows' | 'totals'> & {
  rows: (ReturnedReport['rows'][number] & Record<string, string | number | undefined>)[];
  totals: Record<string, number>;
};
