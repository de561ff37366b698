// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { readCloudTarget } from './cloudTarget.ts';

const key = Buffer.from('secret').toString('base64');
const read = (storageAccount: string) => readCloudTarget({ storageAccount, storageKey: key, container: 'creatives' });

describe('the storage account', () => {
  test.each([
    ['spots', 'https://spots.blob.core.windows.net', 'spots'],
    ['https://spots.blob.core.usgovcloudapi.net/', 'https://spots.blob.core.usgovcloudapi.net', 'spots'],
    ['http://127.0.0.1:10000/devstoreaccount1', 'http://127.0.0.1:10000/devstoreaccount1', 'devstoreaccount1'],
  ])('%s has the endpoint %s', (text, endpoint, account) => {
    expect(read(text)).toMatchObject({ ok: true, target: { endpoint, account, container: 'creatives', key } });
  });

  test.each([
    '',
    'My_Account',
    'ftp://spots.example',
    'https://u:p@spots.blob.example',
    'https://spots.blob.example/a/b',
  ])('must not be "%s"', (text) => {
    expect(read(text)).toEqual({ ok: false, problem: naming('storageAccount') });
    expect(read(text)).toEqual({ ok: false, problem: expect.not.stringMatching(/storageKey|container/) });
  });

  test('all problems are reported at once, without the key', () => {
    const reading = readCloudTarget({ storageKey: 'not base 64!', container: 'A--' });
    expect(reading).toEqual({ ok: false, problem: naming('storageAccount', 'storageKey', 'container') });
    expect(JSON.stringify(reading)).not.toContain('not base 64!');
  });

  test('another container is another location, another key is not', () => {
    const locations = [
      readCloudTarget({ storageAccount: 'spots', storageKey: key, container: 'one' }),
      readCloudTarget({ storageAccount: 'spots', storageKey: key, container: 'two' }),
      readCloudTarget({ storageAccount: 'spots', storageKey: 'YWJj', container: 'one' }),
    ].map((reading) => reading.ok && reading.target.location);
    expect(new Set(locations).size).toBe(2);
    expect(locations[0]).toBe(locations[2]);
  });
});
