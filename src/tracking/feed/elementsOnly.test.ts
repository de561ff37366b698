import { expect, test } from 'vitest';
import { richAd } from '../../../test/vast/richAd.ts';
import type { VastExtension } from '../../vast/response.ts';
import { elementsOnly } from './elementsOnly.ts';

const tidied = (attributes: VastExtension['attributes'], content: string) =>
  elementsOnly({ ...richAd(), extensions: [{ type: 't', attributes, content }] }).extensions[0];

test.each([
  ['elements stay as they are', {}, '<a b="1">c</a><d/>', {}, '<a b="1">c</a><d/>'],
  ['nothing stays nothing', {}, '', {}, ''],
  ['text gets an element', {}, 'fallback', {}, '<Content>fallback</Content>'],
  ['so does text between elements', {}, 'a<b/>c', {}, '<Content>a<b/>c</Content>'],
  ['attributes move to it', { fallback_index: '0' }, '<a/>', {}, '<Content fallback_index="0"><a/></Content>'],
  ['what is no XML is text', {}, 'a < b', {}, '<Content>a &lt; b</Content>'],
])('%s', (_, attributes, content, itsAttributes, itsContent) => {
  expect(tidied(attributes, content)).toEqual({ type: 't', attributes: itsAttributes, content: itsContent });
});
