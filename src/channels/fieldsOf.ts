// SPDX-License-Identifier: Apache-2.0
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; an empty object for any other value. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
