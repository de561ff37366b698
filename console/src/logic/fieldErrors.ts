import type { FieldError } from '../api/apiError.ts';

/** What is wrong with the field at a JSON Pointer, as a sentence; undefined when nothing is. */
export function errorAt(errors: readonly FieldError[], path: string): string | undefined {
  const found = errors.filter(({ dataPath }) => dataPath === path).map(({ message }) => message);
  if (found.length === 0) return undefined;
  const text = found.join('; ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** Those that no field of the form shows: `path message` each. */
export const otherErrors = (errors: readonly FieldError[], shown: readonly (string | RegExp)[]): string[] =>
  errors
    .filter(
      ({ dataPath }) => !shown.some((path) => (typeof path === 'string' ? path === dataPath : path.test(dataPath))),
    )
    .map(({ dataPath, message }) => `${dataPath} ${message}`.trim());
