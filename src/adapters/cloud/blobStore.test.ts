// SPDX-License-Identifier: Apache-2.0
// The contract of stores of blobs: a folder, a server with the interface of S3 (s3rver, or the store of TEST_S3_URL), and an
// Azure storage account (Azurite).
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAzurite } from '../../../test/servers/startAzurite.ts';
import { S3_CREDENTIALS, startS3 } from '../../../test/servers/startS3.ts';
import { type MediaLocation, readMediaUrl } from '../../blobs/mediaLocation.ts';
import type { CloudResult } from '../../blobs/ports.ts';
import { millis } from '../../time/units.ts';
import { type OpenedStore, openBlobStore } from './openBlobStore.ts';

type Server = { readonly location: MediaLocation; readonly azureKey?: string; stop(): Promise<void> };

function located(text: string): MediaLocation {
  const reading = readMediaUrl(text);
  if (!reading.ok) throw new Error(reading.expected);
  return reading.location;
}

const servers: Record<string, () => Promise<Server>> = {
  async folder() {
    const folder = mkdtempSync(join(tmpdir(), 'midroll-blobs-'));
    return {
      location: located(`file://${folder}/store`),
      stop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
  async s3() {
    const given = process.env.TEST_S3_URL;
    if (given !== undefined) return { location: located(given), stop: async () => {} };
    Object.assign(process.env, S3_CREDENTIALS);
    const s3 = await startS3();
    return { location: located(s3.urlOf(`blobs-${randomUUID()}`)), stop: s3.stop };
  },
  async azure() {
    const azurite = await startAzurite();
    const { storageAccount, storageKey: azureKey } = azurite.settings;
    const account = storageAccount.split('/').at(-1);
    const location = located(`azure://${account}/blobs/some/prefix?endpoint=${storageAccount}`);
    return { location, azureKey, stop: azurite.stop };
  },
};

const expectValue = <Value>(result: CloudResult<Value>): Value => {
  if (!result.ok) throw new Error(result.reason);
  return result.value;
};
const NOW = millis(Date.now());

describe.each(Object.keys(servers))('a store of blobs: %s', (kind) => {
  let server: Server;
  let store: OpenedStore;
  const folder = `contract-${randomUUID()}`;
  const open = (changes: Partial<MediaLocation> = {}, azureKey = server.azureKey) =>
    openBlobStore({ ...server.location, ...changes } as MediaLocation, { azureKey, tries: 1 });
  beforeAll(async () => {
    server = await servers[kind]!();
    store = await open();
    if (process.env.TEST_S3_URL === undefined || kind !== 's3')
      expect(await store.blobs.list('')).toMatchObject({ ok: false, status: 404 });
    expectValue(await store.blobs.create());
    expectValue(await store.blobs.create());
  });
  afterAll(async () => {
    const { blobs } = store;
    for (const { name } of expectValue(await blobs.list(folder))) await blobs.remove(name);
    await store.close();
    await server.stop();
  });

  test('returns the bytes that were stored, and replaces them', async () => {
    const { blobs } = store;
    const name = `${folder}/a/0.bin`;
    expect(await blobs.get(name)).toEqual({ ok: true, value: undefined });
    for (const size of [0, 1, 5 * 2 ** 20]) {
      const bytes = new Uint8Array(randomBytes(size + 10).buffer, 5, size);
      expectValue(await blobs.put(name, bytes, 'application/octet-stream'));
      const found = expectValue(await blobs.get(name))!;
      expect(Buffer.compare(found, bytes)).toBe(0);
    }
  });

  test('lists all blobs with a prefix, in order, beyond one page', async () => {
    const { blobs } = store;
    const names = Array.from({ length: 30 }, (_, index) => `${folder}/many/${index}/x-${index}.m4s`);
    for (const name of names) expectValue(await blobs.put(name, Buffer.from(name), 'video/mp4'));
    expectValue(await blobs.put(`${folder}/many.txt`, new Uint8Array(1), 'text/plain'));
    let parts = 0;
    const onProgress = () => {
      parts += 1;
    };
    const listed = expectValue(await blobs.list(`${folder}/many/`, onProgress));
    expect(parts).toBeGreaterThan(0);
    expect(listed.map(({ name }) => name)).toEqual([...names].sort());
    expect(listed.map(({ bytes }) => bytes)).toEqual(listed.map(({ name }) => name.length));
    for (const { modifiedAt } of listed) expect(Math.abs(modifiedAt - Date.now())).toBeLessThan(3_600_000);
    expect(expectValue(await blobs.list(`${folder}/many/1`))).toHaveLength(11);
    expect(expectValue(await blobs.list(`${folder}/none/`))).toEqual([]);
  });

  test('removes blobs; removing twice succeeds', async () => {
    const { blobs } = store;
    const name = `${folder}/removed`;
    expectValue(await blobs.put(name, new Uint8Array(3), 'text/plain'));
    expectValue(await blobs.remove(name));
    expectValue(await blobs.remove(name));
    expect(expectValue(await blobs.get(name))).toBeUndefined();
    expect(expectValue(await blobs.list(name))).toEqual([]);
  });

  test.runIf(kind !== 'folder')('returns a failure without secrets if it is unreachable', async () => {
    const away = await open({ endpoint: 'http://127.0.0.1:1' } as Partial<MediaLocation>);
    for (const result of await Promise.all([away.blobs.get('a'), away.blobs.list('a'), away.blobs.create()])) {
      expect(result).toMatchObject({ ok: false, error: 'refused' });
      expect(JSON.stringify(result)).not.toMatch(/127\.0\.0\.1|S3RVER/);
    }
    await away.close();
  });

  test.runIf(kind === 'azure')('returns a failure without secrets if its key is wrong', async () => {
    const key = Buffer.from('another key').toString('base64');
    const wrong = await open({}, key);
    for (const result of [await wrong.blobs.get(`${folder}/a`), await wrong.blobs.list('')]) {
      expect(result).toMatchObject({ ok: false, status: 403 });
      expect(JSON.stringify(result)).not.toContain(key);
    }
    await wrong.close();
  });

  test.runIf(kind === 's3')('returns a failure without secrets if its credentials are wrong', async () => {
    const before = process.env.AWS_SECRET_ACCESS_KEY;
    process.env.AWS_SECRET_ACCESS_KEY = 'another-secret';
    try {
      const wrong = await open();
      for (const result of [await wrong.blobs.get(`${folder}/a`), await wrong.blobs.list('')]) {
        expect(result).toMatchObject({ ok: false, status: 403 });
        expect(JSON.stringify(result)).not.toContain('another-secret');
      }
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = before;
    }
  });

  describe.runIf(kind !== 'folder')('for players', () => {
    test('is made readable for browsers, and then the check succeeds', async () => {
      const container = store.container!;
      expect(await container.prepare()).toEqual({ ok: true, value: undefined });
      expect(await container.probe()).toEqual({ ok: true, value: undefined });
      expect(await container.prepare()).toEqual({ ok: true, value: undefined });
    });

    test('returns blobs for signed URLs only', async () => {
      const container = store.container!;
      expectValue(await container.prepare());
      const name = `${folder}/signed/0.m4s`;
      const bytes = new Uint8Array(randomBytes(60).buffer, 10, 50);
      expectValue(await container.put(name, bytes, 'video/mp4'));
      const url = await container.urlOf(name, NOW);
      const response = await fetch(url, { headers: { origin: 'https://elsewhere.example' } });
      expect(response.status).toBe(200);
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

    test('has signed URLs that stay the same for hours', async () => {
      const container = store.container!;
      const early = millis(Date.parse('2026-03-01T00:00:01Z'));
      const late = millis(Date.parse('2026-03-01T05:59:59Z'));
      const next = millis(Date.parse('2026-03-01T06:00:01Z'));
      const url = await container.urlOf('m/a', early);
      expect(await container.urlOf('m/a', late)).toBe(url);
      expect(await container.urlOf('m/a', next)).not.toBe(url);
      expect(await (await open()).container!.urlOf('m/a', late)).toBe(url);
    });

    test('has public URLs below a public URL', async () => {
      const publicUrl = 'https://cdn.example/media';
      const { container } = await openBlobStore(server.location, { azureKey: server.azureKey, publicUrl });
      expect(await container!.urlOf('m/edition/v0/0.m4s', NOW)).toBe('https://cdn.example/media/m/edition/v0/0.m4s');
    });
  });
});
