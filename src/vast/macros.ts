// SPDX-License-Identifier: Apache-2.0
// Finds and fills macros in the URLs of ad servers (VAST 4.2 §6). The caller supplies the values.
import { clockText, type Flicks, flicksToMillis } from '../time/units.ts';

/** The value of a macro by its name as written, without brackets; undefined for an unknown macro. */
export type MacroValues = (name: string) => string | undefined;

const name = '([A-Za-z][\\w.-]*)';
const space = '(?:\\s|%20)*';
const notations = [
  `(?:\\[|%5B)${name}(?:\\]|%5D)`,
  `%%${name}%%`,
  `(?:\\$|%24)(?:\\{|%7B)${name}(?:\\}|%7D)`,
  `(?:\\{|%7B){2}${space}${name}${space}(?:\\}|%7D){2}`,
  // The name without the underscores around it.
  '__([A-Za-z\\d]+(?:_[A-Za-z\\d]+)*)__',
];
const macro = new RegExp(notations.join('|'), 'gi');

/** Percent-encodes a value. A lone surrogate cannot be encoded and becomes U+FFFD. */
export const encodeMacroValue = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));

/**
 * Replaces `[NAME]`, `%%NAME%%`, `${NAME}`, `{{NAME}}`, `__NAME__` and their percent-encoded forms with their values, encoded for a
 * URL. Unknown macros are left unchanged. Macros inside values are not expanded.
 */
export function fillMacros(
  text: string,
  values: MacroValues,
  encode: (value: string) => string = encodeMacroValue,
): string {
  return text.replace(macro, (whole, ...names: (string | undefined)[]) => {
    const value = values(nameIn(names));
    return value === undefined ? whole : encode(value);
  });
}

/** The name is in the group of its notation. */
const nameIn = (groups: readonly (string | undefined)[]): string => groups.find((group) => group !== undefined) ?? '';

/** Brackets and underscores are also used for other things. Macros in them are in capital letters. */
const isCertain = (whole: string): boolean =>
  !/^(\[|%5B|__)/i.test(whole) || /^(\[|%5B|__)[A-Z][A-Z\d_]{2,}(\]|%5D|__)$/.test(whole);

/** The macros of a text that `isKnown` does not know, as written. */
export const unknownMacros = (text: string, isKnown: (name: string) => boolean): string[] =>
  [...text.matchAll(macro)].flatMap(([whole, ...names]) => (isKnown(nameIn(names)) || !isCertain(whole) ? [] : whole));

/** `HH:MM:SS.mmm`, the format of times in VAST (§3.8.1) and in macros such as [ADPLAYHEAD]. */
export const formatVastTime = (time: Flicks): string => clockText(flicksToMillis(time));
