// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of a text in UTF-8, one character for each: such a text is sent as latin1, which needs neither counting nor encoding.
 * ASCII text is returned as it is.
 */
export const utf8Bytes = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
