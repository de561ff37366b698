// SPDX-License-Identifier: Apache-2.0
// Shared by the contracts: schemas of the administrative API that validate requests, document it, and type the console.
// The first sentence of a description states which values are valid; error messages quote it.
import { type Static, type TOptional, type TProperties, type TSchema, Type } from 'typebox';
import { MAX_LABEL, MAX_LABELS } from '../../channels/labels.ts';
import { errorTypes } from '../../errors.ts';
import { namedObject } from './named.ts';

type Rules = Readonly<Record<string, unknown>>;

export const text = (description: string, rules?: Rules) => Type.String({ ...rules, description });
export const number = (description: string, rules?: Rules) => Type.Number({ ...rules, description });
export const integer = (description: string, rules?: Rules) => Type.Integer({ ...rules, description });
export const flag = (description: string, rules?: Rules) => Type.Boolean({ ...rules, description });
export const urlText = (description: string) => text(description, { maxLength: 8192 });
export const oneOf = <const Values extends string[]>(
  values: readonly [...Values],
  description: string,
  rules?: Rules,
) => Type.Enum(values, { ...rules, description });
export const list = <Item extends TSchema>(items: Item, description: string, rules?: Rules) =>
  Type.Array(items, { ...rules, description });

export const allOptional = <Fields extends TProperties>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof Fields]: TOptional<Fields[Name]>;
  };

/** Texts by name. @param rules of the object */
export const textMap = (description: string, values: TSchema = Type.String(), rules?: Rules) =>
  Type.Unsafe<Record<string, string>>(Type.Object({}, { additionalProperties: values, ...rules, description }));

export const object = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { description });
/** Without other fields. */
export const closed = <Fields extends TProperties>(description: string, fields: Fields) =>
  Type.Object(fields, { additionalProperties: false, description });

const RECORD_ID = '^[A-Za-z0-9][A-Za-z0-9._~@:-]{0,127}$';
export const isRecordId = (text: string): boolean => new RegExp(RECORD_ID).test(text);
export const recordId = text('1 to 128 letters, digits or ._~@:-, starting with a letter or digit.', {
  pattern: RECORD_ID,
  examples: ['evening-loop'],
});

/** No control characters. Not `\p{Cc}`, and no count above 1000: other languages cannot read them in the OpenAPI document. */
export const NO_CONTROLS = '^[^\\x00-\\x1f\\x7f-\\x9f]*$';

/** Text to filter by in a query. Control characters are excluded because PostgreSQL rejects zero bytes in text. */
export const filterText = (maxLength: number, description: string) =>
  Type.Optional(
    text(`At most ${maxLength} characters without control characters. ${description}`, {
      pattern: NO_CONTROLS,
      maxLength,
    }),
  );
/** A time in a query, which readRange.ts reads. */
export const timeText = (description: string) => Type.Optional(text(description, { maxLength: 40 }));
const label = text('1 to 40 letters, digits, spaces or -_.:/.', { minLength: 1, maxLength: MAX_LABEL });
export const labelsField = list(label, 'Labels to group and filter by. Case-insensitive; at most 20.', {
  maxItems: MAX_LABELS,
  examples: [['sports', 'region: north']],
});
export const labelFilter = Type.Optional(
  list(label, 'Only those with one of these labels. Repeated, or separated by commas. Case-insensitive.', {
    maxItems: MAX_LABELS,
  }),
);
export const nameField = Type.String({ maxLength: 500 });
export const inserter = oneOf(
  ['stitched', 'guided'],
  'Who inserts the ads: Midroll (`stitched`), or the player (`guided`).',
);
export const time = text('ISO 8601, UTC.', { examples: ['2026-03-01T20:15:00.000Z'] });

/** Who created and changed a record, and when. */
export const written = {
  tenant: text('Name of the owning tenant.'),
  createdBy: text('E-mail address of the key that created the record.'),
  createdAt: time,
  modifiedBy: Type.Optional(text('E-mail address of the key that last changed the record.')),
  modifiedAt: Type.Optional(time),
  __v: integer('Number of changes since creation.'),
};
/** Returned by the server and ignored in requests, so that a client can send back a record it has read. */
export const readOnlyFields = ['_id', '__v', 'tenant', 'createdBy', 'createdAt', 'modifiedBy', 'modifiedAt'] as const;

/** The body of every error response. */
export const errorResponse = namedObject('Error', {
  type: Type.Enum(
    errorTypes.map(({ type }) => type),
    { description: 'Kind of the error. Each kind has one status.' },
  ),
  code: integer('HTTP status.'),
  message: Type.String(),
  name: Type.String(),
  data: Type.Optional(
    Type.Array(
      Type.Object({
        keyword: Type.String(),
        dataPath: text('JSON Pointer of the invalid field.'),
        params: Type.Object({}),
        message: Type.String(),
      }),
    ),
  ),
  requestId: Type.Optional(
    text(
      'ID of the request in the log. Only with status 5xx of the administrative port and status 500 of the live port.',
    ),
  ),
});

export type ErrorResponse = Static<typeof errorResponse>;

const bumperUrl = (place: string) => Type.Optional(urlText(`URL of a video file or manifest that is shown ${place}.`));
/** @param more continues its description */
export const bumpersField = (more: string) =>
  closed(`Clips before and after the ads of a break. Not shown in breaks without ads.${more}`, {
    intro: bumperUrl('before the first ad'),
    outro: bumperUrl('at the end of the break'),
  });
