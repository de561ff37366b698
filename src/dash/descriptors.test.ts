// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readXml } from '../xml/read.ts';
import { readCaptions, writeCaptions } from './descriptors.ts';

function read(...accessibility: readonly (readonly [standard: string, value: string])[]) {
  const elements = accessibility.map(
    ([standard, value]) => `<Accessibility schemeIdUri="urn:scte:dash:cc:cea-${standard}:2015" value="${value}"/>`,
  );
  const document = readXml(`<AdaptationSet xmlns="urn:mpeg:dash:schema:mpd:2011">${elements.join('')}</AdaptationSet>`);
  if (!('root' in document)) throw new Error(document.reason);
  return readCaptions([document.root]);
}

test.each([
  ['608', 'CC1=eng;CC3=swe', 'CC1 eng, CC3 swe'],
  ['608', 'eng;swe', 'CC1 eng, CC3 swe'],
  ['608', '', 'CC1'],
  ['608', 'CC1', 'CC1'],
  ['708', '1=lang:eng;2=lang:deu,war:1', 'SERVICE1 eng, SERVICE2 deu'],
  ['608', 'CC9=eng', undefined],
  ['999', 'CC1=eng', undefined],
])('reads captions of CEA-%s from %j', (standard, value, captions) => {
  const found = read([standard, value]);
  expect(found?.map(({ channel, language }) => [channel, language].filter(Boolean).join(' ')).join(', ')).toBe(
    captions,
  );
});

test('reads the captions that it writes', () => {
  const captions = [{ channel: 'CC1', language: 'eng' }, { channel: 'CC2' }, { channel: 'SERVICE7', language: 'swe' }];
  const written = writeCaptions(captions);
  const values = [...written.matchAll(/cea-(\d+):2015" value="([^"]*)"/g)].map(
    ([, standard, value]) => [standard!, value!] as const,
  );
  expect(read(...values)).toEqual(captions);
  expect(writeCaptions([])).toBe('');
});
