// SPDX-License-Identifier: Apache-2.0
import type { FieldError } from '../../api/apiError.ts';
import { asSentence } from '../../format/asSentence.ts';

/** The errors of the field at a JSON Pointer as one sentence; undefined when the field is valid. */
export function fieldError(errors: readonly FieldError[], path: string): string | undefined {
  const found = errors.filter(({ dataPath }) => dataPath === path).map(({ message }) => message);
  if (found.length === 0) return undefined;
  return asSentence(found.join('; '));
}

/** The first error at or below a JSON Pointer, for lists that are typed as text. */
export function errorWithin(errors: readonly FieldError[], path: string): string | undefined {
  const found = errors.find(({ dataPath }) => dataPath === path || dataPath.startsWith(`${path}/`));
  return found && fieldError(errors, found.dataPath);
}

/** Errors of fields that the form does not show, as `path message`. @param shown the paths of the fields it shows */
export const otherErrors = (errors: readonly FieldError[], shown: readonly RegExp[] = []): string[] =>
  errors
    .filter(({ dataPath }) => !shown.some((path) => path.test(dataPath)))
    .map(({ dataPath, message }) => `${dataPath} ${message}`.trim());

/** All errors below a path, for names and values that are typed as text. */
export const errorsBelow = (errors: readonly FieldError[], path: string): string | undefined =>
  otherErrors(errors, [new RegExp(`^(?!${path})`)]).join('; ') || undefined;

/**
 * The error of one row of a list. Rows that were left empty are not sent, so they do not count in the paths of errors.
 * @param path the JSON Pointer of the list
 */
export const rowError = (
  errors: readonly FieldError[],
  path: string,
  rows: readonly string[],
  row: number,
): string | undefined =>
  rows[row]?.trim() === ''
    ? undefined
    : fieldError(errors, `${path}/${rows.slice(0, row).filter((each) => each.trim() !== '').length}`);
