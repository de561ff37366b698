// SPDX-License-Identifier: Apache-2.0
import { type FieldError, fieldError } from '../errors.ts';
import { fieldsOf } from './fieldsOf.ts';

/** True for an absolute http or https URL without blanks or control characters. Source: RFC 3986. */
export const isHttpUrl = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these characters silently, so they are rejected here
  /^https?:\/\/[^\s\u0000-\u001f\u007f]+$/i.test(text) && URL.canParse(text);

const MAX_SHOWN_CHARACTERS = 100;

/** Ignores values that are not strings: the schema reports them. */
export function urlFaults(value: unknown, path: string, keyword = 'url'): FieldError[] {
  if (typeof value !== 'string' || isHttpUrl(value)) return [];
  const shown = JSON.stringify(value.slice(0, MAX_SHOWN_CHARACTERS));
  return [fieldError(keyword, path, `must be an http or https URL; got ${shown}`)];
}

export function bumperFaults(bumpers: unknown, path: string): FieldError[] {
  const { intro, outro } = fieldsOf(bumpers);
  return [...urlFaults(intro, `${path}/intro`), ...urlFaults(outro, `${path}/outro`)];
}
