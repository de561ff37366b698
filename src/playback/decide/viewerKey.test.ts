// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { PREVIEW_MARK, PREVIEW_PARAMETER } from '../../ads/request/preview.ts';
import { viewerKeyOf } from './viewerKey.ts';

function sessionOf(id: string, parameters: Readonly<Record<string, string>> = {}, tenant = 'acme') {
  return { id, tenant, parameters };
}
const rules = { viewerParameter: 'uid' };

test('a viewer is the same in all sessions of a tenant, and another one at another tenant', () => {
  const viewer = viewerKeyOf(sessionOf('one', { uid: 'ann@example.com' }), rules);
  expect(viewer).toEqual({ tenant: 'acme', key: expect.stringMatching(/^[\w-]{32}$/) });
  expect(viewerKeyOf(sessionOf('two', { uid: 'ann@example.com', genre: 'news' }), rules)).toEqual(viewer);
  expect(viewerKeyOf(sessionOf('two', { uid: 'bob@example.com' }), rules)).not.toEqual(viewer);
  expect(viewerKeyOf(sessionOf('two', { uid: 'ann@example.com' }, 'globex'), rules).key).not.toBe(viewer.key);
});

test('the key is the hash that docs tell operators to compute', () => {
  const { key } = viewerKeyOf(sessionOf('one', { uid: 'viewer-17' }), rules);
  expect(key).toBe('R3GpPDmgBrLKMc9pIdS_4JTxON7gUWFL');
});

test.each([
  ['no parameter is named', { uid: 'ann' }, {}],
  ['the player does not send it', { genre: 'news' }, rules],
  ['it is empty', { uid: '' }, rules],
  ['it is named like a method', {}, { viewerParameter: 'toString' }],
  ['an operator watches', { uid: 'ann', [PREVIEW_PARAMETER]: PREVIEW_MARK }, rules],
])('the viewer is the session if %s', (_, parameters, named) => {
  expect(viewerKeyOf(sessionOf('one', parameters), named)).toEqual({ tenant: 'acme', key: 'one' });
});
