import { expect } from 'vitest';

const escaped = (value: string): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Any sentence in which each of these values stands, whatever its words and their order are. */
export const naming = (...values: readonly (string | number)[]): ReturnType<typeof expect.stringMatching> =>
  expect.stringMatching(
    new RegExp(values.map((value) => `(?=.*(?<!\\w|\\d\\.)${escaped(String(value))}(?!\\w|\\.\\d))`).join(''), 's'),
  );
