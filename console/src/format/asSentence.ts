// SPDX-License-Identifier: Apache-2.0
/** `it returned 404` → `It returned 404.` A URL at the start stays as it is. */
export function asSentence(text: string): string {
  if (text === '') return '';
  const start = /^[a-z]+:\/\//.test(text) ? text[0]! : text[0]!.toUpperCase();
  return `${start}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
