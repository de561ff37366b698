// SPDX-License-Identifier: Apache-2.0
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; an empty object for any other value. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
