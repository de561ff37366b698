// SPDX-License-Identifier: Apache-2.0
// Finds and fills macros in the URLs of ad servers (VAST 4.2 §6). The caller supplies the values.
import { type Flicks, flicksToMillis } from '../time/units.ts';

/** The value of a macro by its name as written, without brackets; undefined for an unknown macro. */
export type MacroValues = (name: string) => string | undefined;

const macro =
  /(?:\[|%5B)([A-Za-z][\w.-]*)(?:\]|%5D)|%%([A-Za-z][\w.-]*)%%|(?:\$|%24)(?:\{|%7B)([A-Za-z][\w.-]*)(?:\}|%7D)/gi;

/** Percent-encodes a value. A lone surrogate cannot be encoded and becomes U+FFFD. */
export const encodeMacroValue = (value: string): string =>
  encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));

/**
 * Replaces `[NAME]`, `%%NAME%%`, `${NAME}` and their percent-encoded forms with their values, encoded for a URL. Unknown
 * macros are left unchanged. Macros inside values are not expanded.
 */
export function fillMacros(
  text: string,
  values: MacroValues,
  encode: (value: string) => string = encodeMacroValue,
): string {
  return text.replace(macro, (whole, ...names: (string | undefined)[]) => {
    const value = values((names[0] ?? names[1] ?? names[2])!);
    return value === undefined ? whole : encode(value);
  });
}

const digits = (value: number, width: number): string => String(value).padStart(width, '0');

/** `HH:MM:SS.mmm`, the format of times in VAST (§3.8.1) and in macros such as [ADPLAYHEAD]. */
export function formatVastTime(time: Flicks): string {
  const ms = flicksToMillis(Math.max(0, time));
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${digits(seconds % 60, 2)}.${digits(ms % 1000, 3)}`;
}
