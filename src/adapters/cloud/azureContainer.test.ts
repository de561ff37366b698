// SPDX-License-Identifier: Apache-2.0
// A container of a real blob server (Azurite).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type Azurite, startAzurite } from '../../../test/servers/startAzurite.ts';
import { type CloudTarget, readCloudTarget } from '../../platform/systems/rules/cloudTarget.ts';
import { millis } from '../../time/units.ts';
import { createEgressGuard } from '../http/egressGuard.ts';
import { openAzureContainer } from './azureContainer.ts';

let azurite: Azurite;
let target: CloudTarget;
const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
beforeAll(async () => {
  azurite = await startAzurite();
  const reading = readCloudTarget(azurite.settings);
  if (!reading.ok) throw new Error(reading.problem);
  target = reading.target;
});
afterAll(async () => {
  await guard.close();
  await azurite.stop();
});
const open = (changes: Partial<CloudTarget> = {}, dispatcher = guard) =>
  openAzureContainer({ ...target, ...changes }, { dispatcher, retryDelayMs: 1, timeoutMs: 60_000 });
const NOW = millis(Date.now());

describe('a container', () => {
  test('is created, made readable for players in browsers, and then ready', async () => {
    const container = open();
    expect((await container.probe()).ok).toBe(false);
    expect(await container.prepare()).toEqual({ ok: true, value: undefined });
    expect(await container.probe()).toEqual({ ok: true, value: undefined });
    expect(await container.prepare()).toEqual({ ok: true, value: undefined });
  });

  test('returns stored blobs for signed URLs only', async () => {
    const container = open();
    await container.prepare();
    const name = 'm/abc/v0/0.m4s';
    const bytes = new Uint8Array(new ArrayBuffer(100), 10, 50).fill(7);
    expect(await container.put(name, bytes, 'video/mp4')).toEqual({ ok: true, value: undefined });
    const url = await container.urlOf(name, NOW);
    const response = await fetch(url, { headers: { origin: 'https://elsewhere.example' } });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes));
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('access-control-allow-origin')).toBeTruthy();
    expect((await fetch(url.split('?')[0]!)).status).toBeGreaterThanOrEqual(400);
    expect((await fetch(url, { method: 'PUT', body: 'x', headers: { 'x-ms-blob-type': 'BlockBlob' } })).status).toBe(
      403,
    );
    expect((await fetch(url.replace('0.m4s', '1.m4s'))).status).toBe(403);
  });

  test('a signed URL stays the same for hours, so that caches can use it', async () => {
    const container = open();
    const early = millis(Date.parse('2026-03-01T00:00:01Z'));
    const late = millis(Date.parse('2026-03-01T05:59:59Z'));
    expect(await container.urlOf('m/a', early)).toBe(await container.urlOf('m/a', late));
    expect(new URL(await container.urlOf('m/a', late)).searchParams.get('se')).toBe('2026-03-01T12:00:00Z');
    expect(await container.urlOf('m/a', late)).not.toContain(target.key);
  });

  test('lists and removes blobs; removing twice succeeds', async () => {
    const container = open();
    await container.prepare();
    await container.put('m/list/1', new Uint8Array(10), 'text/plain');
    await container.put('m/list/2', new Uint8Array(20), 'text/plain');
    expect(await container.list('m/list/')).toEqual({
      ok: true,
      value: [
        { name: 'm/list/1', bytes: 10, modifiedAt: expect.any(Number) },
        { name: 'm/list/2', bytes: 20, modifiedAt: expect.any(Number) },
      ],
    });
    expect((await container.remove('m/list/1')).ok).toBe(true);
    expect((await container.remove('m/list/1')).ok).toBe(true);
    expect(await container.list('m/list/')).toEqual({
      ok: true,
      value: [{ name: 'm/list/2', bytes: 20, modifiedAt: expect.any(Number) }],
    });
  });
});

describe('failures are reported without secrets', () => {
  test.each([
    ['a wrong key', { key: Buffer.from('wrong').toString('base64') }, 'httpStatus', [403, 'storageKey']],
    ['a missing host', { endpoint: 'http://127.0.0.1:1/midrolltest' }, 'refused', []],
    ['a private address', { endpoint: 'http://10.0.0.1/midrolltest' }, 'egress', ['EGRESS_ALLOW']],
  ])('%s', async (_, changes, error, names) => {
    const container = open(changes);
    for (const result of await Promise.all([container.prepare(), container.list('m/')])) {
      expect(result).toMatchObject({ ok: false, error, reason: naming(...names) });
      expect(JSON.stringify(result)).not.toContain(target.key);
    }
  });
});
