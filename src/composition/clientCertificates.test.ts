// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createClientCertificates } from './clientCertificates.ts';

test('a tenant has the certificates of its own ad sources, as they were read last', async () => {
  const sourceOf = (tenant: string, key: string) => ({
    tenant,
    url: 'https://ads.test/',
    clientCertificate: { certificate: key, key },
  });
  let sources = [sourceOf('a', 'one'), sourceOf('b', 'two')];
  const { find, refresh } = createClientCertificates(async () => sources);
  const keys = () => ['a', 'b', 'c'].map((tenant) => find(tenant, 'ads.test')?.key);
  expect(keys()).toEqual([undefined, undefined, undefined]);
  await refresh();
  expect(keys()).toEqual(['one', 'two', undefined]);
  sources = [sourceOf('b', 'three')];
  await refresh();
  expect(keys()).toEqual([undefined, 'three', undefined]);
});
