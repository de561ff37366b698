// SPDX-License-Identifier: Apache-2.0
import { expect } from 'vitest';

const escaped = (value: string): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches any sentence that contains all these values, in any order. */
export const naming = (...values: readonly (string | number)[]): ReturnType<typeof expect.stringMatching> =>
  expect.stringMatching(
    new RegExp(values.map((value) => `(?=.*(?<!\\w|\\d\\.)${escaped(String(value))}(?!\\w|\\.\\d))`).join(''), 's'),
  );
