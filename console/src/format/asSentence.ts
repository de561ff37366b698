// SPDX-License-Identifier: Apache-2.0
import { capitalized } from './labels.ts';
/** `it returned 404` → `It returned 404.` A URL at the start stays as it is. */
export function asSentence(text: string): string {
  if (text === '') return '';
  const start = /^[a-z]+:\/\//.test(text) ? text : capitalized(text);
  return `${start}${/[.!?]$/.test(text) ? '' : '.'}`;
}
