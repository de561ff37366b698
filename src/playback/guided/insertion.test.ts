// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { insertsWell, isGuided, readInsertion } from './insertion.ts';

const IPHONE = 'AppleCoreMedia/1.0.0.20E247 (iPhone; U; CPU OS 16_4 like Mac OS X; en_us)';
const MAC = 'AppleCoreMedia/1.0.0.22A380 (Macintosh; U; Intel Mac OS X 13_0; en_us)';

test.each([
  [IPHONE, true],
  [IPHONE.replace('16_4', '15_7'), false],
  [IPHONE.replace('16_4', '26_0'), true],
  [IPHONE.replace('16_4', '9_3'), false],
  ['AppleCoreMedia/1.0.0.20K71 (Apple TV; U; CPU OS 16_1 like Mac OS X; en_us)', true],
  ['AppleCoreMedia/1.0.0.20D47 (iPhone; U; CPU iPhone OS 16_3 like Mac OS X; de_de)', true],
  [MAC, true],
  [MAC.replace('13_0', '12_6'), false],
  [MAC.replace('13_0', '10_15_7'), false],
  // Browsers do not tell which player runs in them.
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    false,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36', false],
  [`proxy ${IPHONE}`, false],
  ['ExoPlayerDemo/2.19.1 (Linux; Android 14) ExoPlayerLib/2.19.1', false],
  ['', false],
])('%s', (userAgent, expected) => {
  expect([insertsWell(userAgent, 'hls'), insertsWell(userAgent, 'dash')]).toEqual([expected, false]);
});

test('a long user agent is read in linear time', () => {
  expect(insertsWell(`AppleCoreMedia/${'CPU OS 1 '.repeat(50_000)}`, 'hls')).toBe(false);
});

test.each(['stitched', 'guided', 'auto'])('%s is a value', (text) => expect(readInsertion(text)).toBe(text));
test.each(['', 'Guided', 'constructor', 'x'.repeat(5000)])('%s is none', (text) => {
  const { fault } = readInsertion(text) as { fault: string };
  expect([fault.includes(text.slice(0, 40)), fault.length < 150]).toEqual([true, true]);
});

const opening = { wanted: 'guided', format: 'hls', userAgent: '', isPossible: true } as const;
test.each([
  ['guided, whatever the player', opening, true],
  ['guided in DASH', { ...opening, format: 'dash' }, true],
  ['stitched, whatever the player', { ...opening, wanted: 'stitched', userAgent: IPHONE }, false],
  ['auto, of a known player', { ...opening, wanted: 'auto', userAgent: IPHONE }, true],
  ['auto, of another one', { ...opening, wanted: 'auto' }, false],
  ['guided, where manifests of all viewers cannot', { ...opening, isPossible: false }, false],
  ['auto, where they cannot', { ...opening, wanted: 'auto', userAgent: IPHONE, isPossible: false }, false],
] as const)('%s', (_, given, expected) => expect(isGuided(given)).toBe(expected));
