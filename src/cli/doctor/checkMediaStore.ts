// SPDX-License-Identifier: Apache-2.0
// Writes, reads, lists and removes an object in the store of MEDIA_URL, as workers and nodes do.
import { randomUUID } from 'node:crypto';
import { openBlobStore } from '../../adapters/cloud/openBlobStore.ts';
import { nameOf, readMediaUrl } from '../../blobs/mediaLocation.ts';
import type { BlobStore } from '../../blobs/ports.ts';
import type { Config } from '../../config.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

type Settings = Pick<Config, 'MEDIA_URL' | 'MEDIA_PUBLIC_URL' | 'AZURE_STORAGE_KEY'>;

const SUBJECT = 'Media store';
const TIMEOUT_MS = 5000;
const advice = {
  s3: 'Check the bucket, the endpoint and the credentials of the AWS client, for example AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  azure: 'Check the account, the container, the endpoint and AZURE_STORAGE_KEY.',
  folder: 'Check that the folder is mounted and that this user can write to it.',
} as const;

/** @returns what failed, as a predicate of the store */
async function problemOf(blobs: BlobStore): Promise<string | undefined> {
  const name = `doctor/${randomUUID()}`;
  const written = await blobs.put(name, Buffer.from('midroll doctor'), 'text/plain');
  if (!written.ok) return `writing: it ${written.reason}`;
  const read = await blobs.get(name);
  const listed = await blobs.list('doctor/');
  const removed = await blobs.remove(name);
  if (!read.ok) return `reading: it ${read.reason}`;
  if (read.value?.length !== 14) return 'reading: it did not return what was written';
  if (!listed.ok) return `listing: it ${listed.reason}`;
  return removed.ok ? undefined : `removing: it ${removed.reason}`;
}

/** @returns undefined without MEDIA_URL */
export async function checkMediaStore(settings: Settings): Promise<Finding | undefined> {
  const reading = settings.MEDIA_URL === undefined ? undefined : readMediaUrl(settings.MEDIA_URL);
  if (!reading?.ok) return undefined;
  const { location } = reading;
  const opened = await openBlobStore(location, {
    azureKey: settings.AZURE_STORAGE_KEY,
    timeoutMs: TIMEOUT_MS,
    tries: 1,
  });
  try {
    const exists = await opened.blobs.list('doctor/');
    if (!exists.ok && exists.status === 404)
      return warning(SUBJECT, `${nameOf(location)} does not exist yet`, 'The first start creates it.');
    const problem = exists.ok ? await problemOf(opened.blobs) : `listing: it ${exists.reason}`;
    if (problem !== undefined) return failed(SUBJECT, `${nameOf(location)}: ${problem}`, advice[location.kind]);
    return ok(SUBJECT, `${nameOf(location)} can be written and read`);
  } finally {
    await opened.close();
  }
}
