// SPDX-License-Identifier: Apache-2.0
/** `it returned 404` → `It returned 404.` */
export const asSentence = (text: string): string =>
  text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
