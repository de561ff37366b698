// SPDX-License-Identifier: Apache-2.0
import type { Static, TSchema } from 'typebox';
import type { FieldError } from '../../../errors.ts';
import { readBody } from '../../../http/admin/routes/record.ts';

/**
 * A body that is not a record: all its fields are set by the client.
 * @throws {AppError} VALIDATION_ERROR with every invalid field
 */
export const readFields = async <Schema extends TSchema>(
  body: unknown,
  noun: string,
  schema: Schema,
  faultsOf: (fields: unknown) => Promise<readonly FieldError[]> = async () => [],
): Promise<Static<Schema>> => (await readBody(body, { noun, schema, ignored: [] }, faultsOf)) as Static<Schema>;
