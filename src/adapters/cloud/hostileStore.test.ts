// SPDX-License-Identifier: Apache-2.0
// Stores that begin a response and do not end it, or send more than was stored.
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { serveInTest } from '../../../test/serve.ts';
import { S3_CREDENTIALS } from '../../../test/servers/startS3.ts';
import { readMediaUrl } from '../../blobs/mediaLocation.ts';
import { openBlobStore } from './openBlobStore.ts';

const urls = {
  s3: (port: string) => `s3://bucket/prefix?endpoint=http://127.0.0.1:${port}`,
  azure: (port: string) => `azure://account/container?endpoint=http://127.0.0.1:${port}/account`,
};

async function openAt(kind: keyof typeof urls, respond: (response: ServerResponse) => void, timeoutMs: number) {
  Object.assign(process.env, S3_CREDENTIALS);
  const { port } = new URL(await serveInTest((_, response) => respond(response)));
  const reading = readMediaUrl(urls[kind](port));
  if (!reading.ok) throw new Error(reading.expected);
  const azureKey = Buffer.from('a key').toString('base64');
  const store = await openBlobStore(reading.location, { azureKey, timeoutMs, tries: 1 });
  onTestFinished(() => store.close());
  return store.blobs;
}

/** A head and a part of the body, then nothing. */
const stall = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': '1000' });
  response.write('<?xml version="1.0"?>');
};

const flood = (response: ServerResponse) => {
  response.writeHead(200);
  const block = Buffer.alloc(2 ** 20);
  const write = () => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', write);
  write();
};

test.each(Object.keys(urls) as (keyof typeof urls)[])('%s: an object that does not end is a failure', async (kind) => {
  const blobs = await openAt(kind, stall, 300);
  expect(await blobs.get('meta/one')).toMatchObject({ ok: false, reason: 'did not respond in time' });
});

test.each(Object.keys(urls) as (keyof typeof urls)[])('%s: a list that does not end is a failure', async (kind) => {
  const blobs = await openAt(kind, stall, 300);
  expect(await blobs.list('meta/')).toMatchObject({ ok: false });
});

test.each(Object.keys(urls) as (keyof typeof urls)[])('%s: no more is read than Midroll stores', async (kind) => {
  const blobs = await openAt(kind, flood, 60_000);
  expect(await blobs.get('meta/one')).toEqual({
    ok: false,
    error: 'failed',
    reason: 'returned an object of more than 64 MiB',
  });
});
