// SPDX-License-Identifier: Apache-2.0
// Shared by the routes of records: reading a body, showing a record, the headers of its response.

import { type Static, type TSchema, Type } from 'typebox';
import { isFields } from '../../../channels/fieldsOf.ts';
import type { Versioned } from '../../../channels/ports.ts';
import type { Written } from '../../../channels/written.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../../errors.ts';
import { nextTurn } from '../../../ingest/source/inTurns.ts';
import { defined } from '../../../invariant.ts';
import type { AuditedChange } from '../../../platform/audit/rules/auditEntry.ts';
import { oneOf } from '../../contract/commonContract.ts';
import { entityTag } from '../request/entityTag.ts';
import { readQuery } from '../request/readQuery.ts';
import type { AdminRequest, OpenRequest, RouteResponse } from '../request/route.ts';
import { MAX_FAULTS, schemaFaults } from '../request/validate.ts';

export type Headers = Readonly<Record<string, string>>;

/** A record of another tenant is reported in the same way as one that does not exist. */
export const recordNotFound = (noun: string, id: string): AppError =>
  new AppError('NOT_FOUND', `${capitalized(noun)} "${id.slice(0, 200)}" not found.`);

export const capitalized = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** @returns a copy of an object without some of its fields; other values unchanged */
export function without(value: unknown, names: readonly string[]): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** A record without a name may have a description, as webhooks do. */
type Shown = { readonly id: string; readonly name?: string; readonly description?: string };

const omitted = ['_id', 'version', 'tenant', 'createdBy', 'createdAt', 'modifiedBy', 'modifiedAt', 'lastUsedAt'];

const shownOf = (record: object | undefined) => record && (without(record, omitted) as object);

export function auditedChange(kind: string, before: Shown | undefined, after: Shown | undefined): AuditedChange {
  const { id, name, description } = defined(after ?? before, 'a record is changed');
  return { kind, id, name: name ?? description, before: shownOf(before), after: shownOf(after) };
}

type BodyRules = {
  readonly noun: string;
  readonly schema: TSchema;
  /** Fields of responses that clients cannot set. They are ignored in requests. */
  readonly ignored: readonly string[];
};

const countKeywords: ReadonlySet<string> = new Set(['maxItems', 'maxProperties']);

/**
 * @param faultsOf checks what the schema cannot express; called with any value, valid or not
 * @throws {AppError} VALIDATION_ERROR with every invalid field
 */
export async function readBody(
  value: unknown,
  { noun, schema, ignored }: BodyRules,
  faultsOf: (fields: unknown) => readonly FieldError[] | Promise<readonly FieldError[]>,
): Promise<unknown> {
  if (value === undefined) throw new AppError('MALFORMED', `Missing request body. Send the ${noun} as JSON.`);
  const fields = without(value, ignored);
  const ofSchema = schemaFaults(schema, fields);
  // A body with faults may have very many.
  if (ofSchema.length > 0) await nextTurn();
  // What has too many items is not looked at.
  const others = ofSchema.some(({ keyword }) => countKeywords.has(keyword)) ? [] : await faultsOf(fields);
  const faults = [...ofSchema, ...others].slice(0, MAX_FAULTS);
  if (faults.length > 0) throw validationError(`Invalid ${noun}`, faults);
  return fields;
}

/**
 * A body that is not a record: all its fields are set by the client.
 * @throws {AppError} VALIDATION_ERROR with every invalid field
 */
export const readFields = async <Schema extends TSchema>(
  body: unknown,
  noun: string,
  schema: Schema,
  faultsOf: (fields: unknown) => readonly FieldError[] | Promise<readonly FieldError[]> = () => [],
): Promise<Static<Schema>> => (await readBody(body, { noun, schema, ignored: [] }, faultsOf)) as Static<Schema>;

/** The id that the path of a route contains. */
export const idIn = ({ params }: Pick<OpenRequest, 'params'>, param = 'id'): string =>
  defined(params[param], 'the path has an id');

/** The id of a record cannot be changed. */
export function idFaults(fields: unknown, id: string): FieldError[] {
  const given = typeof fields === 'object' && fields !== null ? (fields as { id?: unknown }).id : undefined;
  if (given === undefined || given === id) return [];
  return [fieldError('const', '/id', `cannot change; must be ${JSON.stringify(id)}`, { allowedValue: id })];
}

/** @returns the headers of the response, or undefined if there is no such record or version, or if it is the last */
export type DiscardRecord = (
  kind: 'playlist' | 'channel' | 'system' | 'ad source',
  record: Versioned<Written & { readonly name?: string }>,
  request: Pick<AdminRequest, 'caller' | 'audit'>,
  conditions?: { readonly unlessLastOf?: readonly string[] },
) => Promise<Headers | undefined>;

export const restoreHeader = {
  'x-restore': 'Path that restores the record with POST, for 24 hours.',
};

export const forceQuery = Type.Object({
  force: Type.Optional(oneOf(['true', 'false'], '`true` deletes the record even if that affects viewers or reports.')),
});

/** @throws {AppError} VALIDATION_ERROR if it is neither `true` nor `false` */
export const isForced = ({ query }: Pick<OpenRequest, 'query'>): boolean =>
  readQuery(forceQuery, query).force === 'true';

/** A record as it is returned: the stored fields, then who wrote it and when. */
export function showRecord<Row extends Written>(record: Versioned<Row>): Record<string, unknown> {
  const { id, version, tenant, createdBy, createdAt, modifiedBy, modifiedAt, ...fields } = record;
  return { id, ...fields, createdBy, createdAt, modifiedAt, modifiedBy, tenant, __v: version };
}

export const recordResponse = (status: number, record: Versioned<Written>, json: unknown): RouteResponse => ({
  status,
  headers: { etag: entityTag(record) },
  json,
});
