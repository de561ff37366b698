// SPDX-License-Identifier: Apache-2.0
// What is particular to containers of a storage account (Azurite). What all have in common: blobStore.test.ts.
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { opened } from '../../../test/opened.ts';
import { startAzurite } from '../../../test/servers/startAzurite.ts';
import { type CloudTarget, readCloudTarget } from '../../platform/systems/rules/cloudTarget.ts';
import { millis } from '../../time/units.ts';
import { createEgressGuard } from '../http/egressGuard.ts';
import { openAzureContainer } from './azureContainer.ts';

const guard = await opened(createEgressGuard({ allow: ['127.0.0.0/8'] }));
const azurite = await opened(startAzurite());
const reading = readCloudTarget(azurite.settings);
if (!reading.ok) throw new Error(reading.problem);
const target = reading.target;
const open = (changes: Partial<CloudTarget> = {}) =>
  openAzureContainer({ ...target, ...changes }, { dispatcher: guard, retryDelayMs: 1, timeoutMs: 60_000 });

test('a container that does not exist is not ready, and a signed URL states its end, but no key', async () => {
  const container = open();
  expect((await container.probe()).ok).toBe(false);
  const url = await container.urlOf('m/a', millis(Date.parse('2026-03-01T05:59:59Z')));
  expect(new URL(url).searchParams.get('se')).toBe('2026-03-01T12:00:00Z');
  expect(url).not.toContain(target.key);
});

test.each([
  ['a wrong key', { key: Buffer.from('wrong').toString('base64') }, 'httpStatus', [403, 'storageKey']],
  ['a missing host', { endpoint: 'http://127.0.0.1:1/midrolltest' }, 'refused', []],
  ['a private address', { endpoint: 'http://10.0.0.1/midrolltest' }, 'egress', ['EGRESS_ALLOW']],
])('failures are reported without secrets: %s', async (_, changes, error, names) => {
  const container = open(changes);
  for (const result of await Promise.all([container.prepare(), container.list('m/')])) {
    expect(result).toMatchObject({ ok: false, error, reason: naming(...names) });
    expect(JSON.stringify(result)).not.toContain(target.key);
  }
});
