// SPDX-License-Identifier: Apache-2.0
import { type FieldError, fieldError } from '../errors.ts';
import { isHttpUrl } from './isHttpUrl.ts';

const MAX_SHOWN_CHARACTERS = 100;

/** Ignores values that are not strings: the schema reports them. */
export const urlFaults = (value: unknown, path: string, keyword = 'url'): FieldError[] =>
  typeof value !== 'string' || isHttpUrl(value)
    ? []
    : [
        fieldError(
          keyword,
          path,
          `must be an http or https URL; got ${JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS))}`,
        ),
      ];
