// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { nameOf, readMediaUrl } from './mediaLocation.ts';

const LOCAL = 'http://127.0.0.1:9000';
const BLOBS = 'https://spots.blob.core.windows.net';
const s3 = { kind: 's3', bucket: 'films', prefix: '', endpoint: undefined, region: undefined, pathStyle: false };
const azure = { kind: 'azure', account: 'spots', container: 'films', prefix: '', endpoint: BLOBS };

test.each([
  ['s3://films', s3],
  ['s3://films/a/b/', { ...s3, prefix: 'a/b/' }],
  ['s3://films?region=eu-central-1&pathStyle=true', { ...s3, region: 'eu-central-1', pathStyle: true }],
  [`s3://films/a?endpoint=${LOCAL}`, { ...s3, prefix: 'a/', endpoint: LOCAL, pathStyle: true }],
  ['s3://films?endpoint=https://s3.example/&pathStyle=false', { ...s3, endpoint: 'https://s3.example' }],
  ['azure://spots/films/a', { ...azure, prefix: 'a/' }],
  [`azure://spots/films?endpoint=${LOCAL}/spots`, { ...azure, endpoint: `${LOCAL}/spots` }],
  ['file:///mnt/media%20store', { kind: 'folder', path: '/mnt/media store', prefix: '' }],
])('reads %s', (text, location) => {
  expect(readMediaUrl(text)).toEqual({ ok: true, location });
});

test.each([
  ['', 's3://'],
  ['films/a', 's3://'],
  ['https://films.s3.amazonaws.com/a', 's3://'],
  ['s3://Films', 'bucket'],
  ['s3://a', 'bucket'],
  ['s3://key:secret@films', 'without credentials'],
  ['s3://films/../a b', 'letters'],
  ['s3://films?regoin=x', 'endpoint, region, pathStyle'],
  ['s3://films?region=EU!', 'region'],
  ['s3://films?pathStyle=yes', 'pathStyle'],
  ['s3://films?endpoint=ftp://host', 'endpoint'],
  ['s3://films?endpoint=http://user:secret@host', 'endpoint'],
  ['azure://spots', 'container'],
  ['azure://Spots_1/films', 'account'],
  ['azure://spots/films?region=x', 'endpoint'],
  ['file://host/path', 'absolute path'],
  ['file:///', 'absolute path'],
])('%s is invalid, and the error states what is expected', (text, expected) => {
  const reading = readMediaUrl(text);
  expect(reading).toEqual({ ok: false, expected: expect.stringContaining(expected) });
  expect(JSON.stringify(reading)).not.toContain('secret');
});

test('the name of a store has no parameters', () => {
  const texts = [`s3://films/a?endpoint=${LOCAL}`, 'azure://spots/films/b', 'file:///mnt/media'];
  const readings = texts.map(readMediaUrl);
  expect(readings.map((reading) => reading.ok && nameOf(reading.location))).toEqual([
    's3://films/a',
    'azure://spots/films/b',
    '/mnt/media',
  ]);
});
