// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { finish } from '../time/sliced.ts';
import { readingTtml } from './readTtml.ts';

const tt = (body: string, attributes = ''): string =>
  `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ${attributes}><body><div>${body}</div></body></tt>`;
const cuesOf = (text: string) => {
  const read = finish(readingTtml(text));
  return 'refused' in read ? read.code : read.cues;
};

test.each([
  ['begin="00:00:01.5" end="00:00:03"', '', 1500, 3000],
  ['begin="1.5s" dur="500ms"', '', 1500, 2000],
  ['begin="00:00:01:12" end="00:00:02:00"', 'ttp:frameRate="24"', 1500, 2000],
  ['begin="15t" end="30t"', 'ttp:tickRate="10"', 1500, 3000],
  ['begin="30f" end="60f"', 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"', 1001, 2002],
])('reads the times of <p %s>', (times, attributes, start, end) => {
  expect(cuesOf(tt(`<p ${times}>words</p>`, attributes))).toEqual([{ start, end, text: 'words' }]);
});

test('normalizes line breaks and white space, and escapes special characters', () => {
  const text = tt('<p begin="1s" end="2s">  a &lt; b\n   &amp; <span>c</span> <br/> d </p>');
  expect(cuesOf(text)).toEqual([{ start: 1000, end: 2000, text: 'a &lt; b &amp; c\nd' }]);
});

test('times count from the start of the enclosing element', () => {
  const read = finish(
    readingTtml(
      '<tt xmlns="http://www.w3.org/ns/ttml"><body begin="10s"><div begin="1s" end="5s"><p begin="1s" end="9s">a</p><p><span begin="0s" end="2s">b</span></p></div></body></tt>',
    ),
  );
  expect(read).toEqual({
    cues: [
      { start: 12_000, end: 15_000, text: 'a' },
      { start: 11_000, end: 13_000, text: 'b' },
    ],
  });
});

test('refuses other documents and images, and accepts a document without text', () => {
  expect(cuesOf(tt(''))).toEqual([]);
  expect(cuesOf('<svg/>')).toBe('NO_TTML');
  expect(cuesOf('WEBVTT')).toBe('NO_TTML');
  expect(cuesOf(`${tt('<p begin="1s" end="2s"><image src="x"/></p>')}\x89PNG`)).toBe('PICTURES');
  expect(cuesOf(tt('<p begin="1s" end="2s" xmlns:smpte="s" smpte:backgroundImage="#x"/>'))).toBe('PICTURES');
});
