// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { asSentence } from './asSentence.ts';

test.each([
  ['it returned 404', 'It returned 404.'],
  ['http://origin.example/ returned 404.', 'http://origin.example/ returned 404.'],
  ['', ''],
])('%j becomes %j', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});
