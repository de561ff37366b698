// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fromForm, jsonFault, newCreative, sourcePatch, toForm } from './adSourceForm.ts';
import type { AdSource } from './sourceTypes.ts';

const written = {
  id: 'one',
  createdBy: 'ann@example.com',
  createdAt: '2026-11-01T10:00:00.000Z',
  tenant: 'acme',
  __v: 0,
};
const source = (fields: Partial<AdSource>) => ({ ...written, type: 'vast', ...fields }) as AdSource;
const url = 'https://ads.example.com/vast';

test.each([
  { type: 'vast', url, method: 'POST', params: { a: '1' }, headers: { 'x-key': 'k' }, timeoutMs: 900, maxPerSecond: 5 },
  { type: 'openrtb', url, template: { site: { id: '1' } }, currency: 'EUR', floor: 1.5, floorPerSecond: 0.1 },
  {
    type: 'house',
    creatives: [
      { url: 'https://m.example.com/a.mp4', title: 'A', weight: 2, from: '2026-11-01T10:00:30.000Z' },
      { url: 'https://m.example.com/b.mp4', title: 'B', to: '2026-12-01T00:00:00.000Z' },
    ],
  },
] as const)('a source of the type $type is sent as it was read', (fields) => {
  expect(fromForm(toForm(fields as Partial<AdSource>))).toEqual(fields);
});

test('only the fields of the type are sent', () => {
  const form = { ...toForm({ url }), floor: '2', creatives: [newCreative] };
  expect(fromForm(form)).toEqual({ type: 'vast', url });
  expect(fromForm({ ...form, type: 'openrtb' })).toEqual({ type: 'openrtb', url, floor: 2 });
  expect(fromForm({ ...form, type: 'house' })).toEqual({ type: 'house', creatives: [{ url: '', title: '' }] });
});

test('a certificate that is stored is kept, replaced or removed', () => {
  const stored = source({ url, clientCertificate: { subject: 'CN=midroll', hosts: ['a.example'] } });
  const form = toForm(stored);
  expect(sourcePatch(stored, { ...form, timeout: '900' })).toEqual({ timeoutMs: 900 });
  expect(sourcePatch(stored, { ...form, hosts: [] })).toEqual({ clientCertificate: { hosts: null } });
  const pair = { certificate: 'PEM', key: 'KEY' };
  expect(sourcePatch(stored, { ...form, ...pair })).toEqual({ clientCertificate: pair });
  expect(sourcePatch(stored, { ...form, removal: 'yes' })).toEqual({ clientCertificate: null });
  expect(sourcePatch(source({ url }), toForm(source({ url })))).toEqual({});
});

test('a template that is no JSON object is named, and sent as it is', () => {
  expect(['', ' ', '{"a": 1}'].map(jsonFault)).toEqual([undefined, undefined, undefined]);
  for (const text of ['[1]', '"a"', 'null', '{"a": ', '1']) expect(jsonFault(text)).toEqual(expect.any(String));
  expect(fromForm({ ...toForm({ type: 'openrtb' }), template: '{"a": ' }).template).toBe('{"a": ');
});
