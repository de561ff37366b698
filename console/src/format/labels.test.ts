// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { sourceName } from '../../../src/channels/sourceName.ts';
import { fieldLabel, groupLabel } from './labels.ts';

test('turns API names into labels', () => {
  expect(
    ['secondsFilled', 'latencyP95', 'ad-requests', 'clientId', 'url', 'BREAK_FULL', 'revenueEUR'].map(fieldLabel),
  ).toEqual(['Seconds filled', 'Latency P95', 'Ad requests', 'Client ID', 'URL', 'Break full', 'Revenue EUR']);
});

test('keeps ids and host names of groups as they are', () => {
  expect(['ads.example.com', 'evening-loop', 'NO_MEDIA_FILE'].map(groupLabel)).toEqual([
    'ads.example.com',
    'evening-loop',
    'No media file',
  ]);
});

test.each([
  ['https://media.example.com/assets/the-tide/master.m3u8?x=1', 'the-tide'],
  ['https://media.example.com/the%20tide.mpd', 'the tide'],
  ['https://media.example.com/100%/manifest.mpd', '100%'],
  ['https://media.example.com/', 'media.example.com'],
  ['no url', 'no url'],
])('names the source %s "%s"', (url, name) => expect(sourceName(url)).toBe(name));
