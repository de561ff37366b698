// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { emptyForm, rightToTry, type TryForm, tryBodyOf } from './tryForm.ts';

const saved = 'https://ads.example.com/vast?key=k';

test('the saved tag is tried without its URL, and requires less than another tag', () => {
  for (const url of [saved, ` ${saved}\n`, '', ' ']) {
    expect(tryBodyOf({ ...emptyForm, url }, saved)).toEqual({});
    expect(rightToTry({ url }, saved)).toBe('operate');
  }
  const other = 'https://ads.example.com/other';
  expect(tryBodyOf({ ...emptyForm, url: other }, saved)).toEqual({ url: other });
  expect(rightToTry({ url: other }, saved)).toBe('manage');
  expect(rightToTry({ url: other }, undefined)).toBe('manage');
  expect(tryBodyOf({ ...emptyForm, url: '' }, undefined)).toEqual({});
});

test('a request has all fields that are filled in', () => {
  const filled: TryForm = {
    url: ' http://b/ ',
    source: 'exchange',
    parameters: 'genre: news',
    userAgent: 'TV',
    address: '203.0.113.1',
    breakDuration: '29,5',
    maxAds: '3',
    format: 'dash',
    isPreparing: true,
  };
  expect(tryBodyOf(filled, 'http://a/')).toEqual({
    url: 'http://b/',
    source: 'exchange',
    parameters: { genre: 'news' },
    userAgent: 'TV',
    address: '203.0.113.1',
    breakDuration: 29.5,
    maxAds: 3,
    format: 'dash',
    prepare: true,
  });
});
