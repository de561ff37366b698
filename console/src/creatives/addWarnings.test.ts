// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AssetsAdded } from '../../../src/http/contract/assetContract.ts';
import { naming } from '../../../test/naming.ts';
import { addWarnings } from './addWarnings.ts';

const asset = { id: 'a' } as AssetsAdded['assets'][number];
const skipped = [{ adId: '7', title: 'Tea', reason: { code: 'NO_MEDIA_FILE', text: 'It names no media file.' } }];

test('reports nothing when every creative was accepted', () => {
  expect(addWarnings({ assets: [asset], skipped: [], warnings: [] })).toEqual([]);
});

test('reports skipped ads and warnings', () => {
  const [summary, ...details] = addWarnings({ assets: [], skipped, warnings: ['odd'] });
  expect([summary, details]).toEqual([
    expect.not.stringMatching(/\d/),
    [naming('Tea', skipped[0]!.reason.text), 'odd'],
  ]);
  expect(addWarnings({ assets: [asset], skipped: [], warnings: ['odd'] })).toEqual([naming(1), 'odd']);
});

test('distinguishes a document without ads from one whose ads were all skipped', () => {
  const [empty, ...rest] = addWarnings({ assets: [], skipped: [], warnings: [] });
  expect([empty, rest]).toEqual([expect.any(String), []]);
  expect(addWarnings({ assets: [], skipped, warnings: [] })[0]).not.toBe(empty);
});
