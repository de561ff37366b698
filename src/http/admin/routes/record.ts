// The parts that routes of records share: reading a body, showing a record, the headers of its answer.
import type { TSchema } from 'typebox';
import type { Versioned } from '../../../channels/ports.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { entityTag } from '../request/entityTag.ts';
import { refuse } from '../request/readQuery.ts';
import type { Answer } from '../request/route.ts';
import { schemaFaults } from '../request/validate.ts';

export type Owned = {
  readonly id: string;
  readonly tenant: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
};

/** An object without some of its fields; anything else as it is. */
export function without(value: unknown, names: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

export type BodyRules = {
  readonly noun: string;
  readonly schema: TSchema;
  /** Fields that we answer and nobody can set. */
  readonly ignored: readonly string[];
};

/**
 * @param faultsOf what the schema cannot say; asked about any value
 * @throws {AppError} VALIDATION_ERROR that names every field that offends
 */
export async function readBody(
  value: unknown,
  { noun, schema, ignored }: BodyRules,
  faultsOf: (fields: unknown) => Promise<readonly FieldError[]>,
): Promise<unknown> {
  if (value === undefined) throw new AppError('MALFORMED', `A body is wanted: the ${noun} as JSON.`);
  const fields = without(value, ignored);
  refuse([...schemaFaults(schema, fields), ...(await faultsOf(fields))], `This is no valid ${noun}.`);
  return fields;
}

/** A record's id is given once. */
export function idFaults(fields: unknown, id: string): FieldError[] {
  const given = typeof fields === 'object' && fields !== null ? (fields as { id?: unknown }).id : undefined;
  if (given === undefined || given === id) return [];
  return [fieldError('const', '/id', `cannot change: it is ${JSON.stringify(id)}`, { allowedValue: id })];
}

/** A record as it is answered: what was written first, who wrote it after that. */
export function showRecord<Row extends Owned>(record: Versioned<Row>): Record<string, unknown> {
  const { id, version, tenant, createdBy, createdAt, modifiedBy, modifiedAt, ...fields } = record;
  return { id, ...fields, createdBy, createdAt, modifiedAt, modifiedBy, tenant, __v: version };
}

export const recordAnswer = (status: number, record: Versioned<Owned>, json: unknown): Answer => ({
  status,
  headers: { etag: entityTag(record) },
  json,
});
