// SPDX-License-Identifier: Apache-2.0
// How macros are written in the URLs of ad servers (VAST 4.2 §6), for the server and for the console.

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
export const macroPattern = new RegExp(notations.join('|'), 'gi');

/** The name is in the group of its notation. */
export const nameIn = (groups: readonly (string | undefined)[]): string =>
  groups.find((group) => group !== undefined) ?? '';

/** Brackets and underscores are also used for other things. Macros in them are in capital letters. */
const isCertain = (whole: string): boolean =>
  !/^(\[|%5B|__)/i.test(whole) || /^(\[|%5B|__)[A-Z][A-Z\d_]{2,}(\]|%5D|__)$/.test(whole);

/** The macros of a text that `isKnown` does not know, as written. */
export const unknownMacros = (text: string, isKnown: (name: string) => boolean): string[] =>
  [...text.matchAll(macroPattern)].flatMap(([whole, ...names]) =>
    isKnown(nameIn(names)) || !isCertain(whole) ? [] : whole,
  );
