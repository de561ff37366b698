// SPDX-License-Identifier: Apache-2.0
// Fills macros in the URLs of ad servers (VAST 4.2 §6). The caller supplies the values.
import { clockText, type Flicks, flicksToMillis } from '../time/units.ts';
import { macroPattern, nameIn } from './macroNotation.ts';

/** The value of a macro by its name as written, without brackets; undefined for an unknown macro. */
export type MacroValues = (name: string) => string | undefined;

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
  return text.replace(macroPattern, (whole, ...names: (string | undefined)[]) => {
    const value = values(nameIn(names));
    return value === undefined ? whole : encode(value);
  });
}

/** `HH:MM:SS.mmm`, the format of times in VAST (§3.8.1) and in macros such as [ADPLAYHEAD]. */
export const formatVastTime = (time: Flicks): string => clockText(flicksToMillis(time));
