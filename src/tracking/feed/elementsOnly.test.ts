// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { richAd } from '../../../test/vast/richAd.ts';
import type { VastExtension } from '../../vast/response.ts';
import { elementsOnly } from './podVast.ts';

const tidied = (attributes: VastExtension['attributes'], content: string) =>
  elementsOnly({ ...richAd(), extensions: [{ type: 't', attributes, content }] }).extensions[0];

test.each([
  ['elements are unchanged', {}, '<a b="1">c</a><d/>', {}, '<a b="1">c</a><d/>'],
  ['empty content is unchanged', {}, '', {}, ''],
  ['text is wrapped in an element', {}, 'fallback', {}, '<Content>fallback</Content>'],
  ['text between elements is wrapped', {}, 'a<b/>c', {}, '<Content>a<b/>c</Content>'],
  [
    'attributes are moved to the element',
    { fallback_index: '0' },
    '<a/>',
    {},
    '<Content fallback_index="0"><a/></Content>',
  ],
  ['invalid XML is escaped', {}, 'a < b', {}, '<Content>a &lt; b</Content>'],
])('%s', (_, attributes, content, expectedAttributes, expectedContent) => {
  expect(tidied(attributes, content)).toEqual({ type: 't', attributes: expectedAttributes, content: expectedContent });
});
