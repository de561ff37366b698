// SPDX-License-Identifier: Apache-2.0
// A bucket of S3, or of a server with the same interface. Handles credentials (the usual chain of the AWS client), CORS rules
// and signatures; what the objects contain is left to its users. Reasons of failures contain no keys and no URLs.
import type { Readable } from 'node:stream';
import {
  type CORSRule,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { LRUCache } from 'lru-cache';
import type { MediaLocation } from '../../blobs/mediaLocation.ts';
import type { Blob, BlobContainer, CloudResult } from '../../blobs/ports.ts';
import { millis } from '../../time/units.ts';
import { explainFailure, failure } from '../http/exchangeFailure.ts';
import {
  ContainerError,
  IMMUTABLE,
  MAX_CACHED_URLS,
  PROBE,
  readAsPlayer,
  SIGNATURE_PERIOD_MS,
} from './playerAccess.ts';
import { readObject } from './readObject.ts';

export type S3Options = {
  /** For one request; 10 s by default. */
  readonly timeoutMs?: number;
  /** Requests until one succeeds; 2 by default. */
  readonly tries?: number;
  /** The public URL of the prefix. By default, players get signed URLs. */
  readonly publicUrl?: string;
};

type S3Location = Extract<MediaLocation, { kind: 's3' }>;

const CONNECT_TIMEOUT_MS = 2000;

/** A predicate of the bucket. */
function failureOf(error: unknown): Extract<CloudResult<never>, { ok: false }> {
  if (error instanceof ContainerError) return error.failure;
  if (error instanceof S3ServiceException) {
    const { name, $metadata } = error;
    const status = $metadata.httpStatusCode ?? 0;
    const what = `returned status ${status}${/^\w+$/.test(name) ? ` (${name})` : ''}`;
    const hint = status === 403 ? ': it rejects the credentials or their rights' : '';
    return failure('httpStatus', what + hint, status);
  }
  const { name } = error as Error;
  if (name === 'CredentialsProviderError')
    return failure('failed', 'cannot be used: the AWS client has found no credentials');
  if (name === 'TimeoutError' || name === 'AbortError') return failure('timeout', 'did not respond in time');
  return explainFailure((error as { cause?: unknown }).cause ?? error);
}

async function attempt<Value>(work: () => Promise<Value>): Promise<CloudResult<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failureOf(error);
  }
}

const hasName = (error: unknown, ...names: string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

const undefinedIf =
  (...names: string[]) =>
  (error: unknown): undefined => {
    if (!hasName(error, ...names)) throw error;
  };

export function openS3Container(location: S3Location, options: S3Options = {}): BlobContainer {
  const { timeoutMs = 10_000, tries = 2, publicUrl } = options;
  const { bucket: Bucket, prefix, endpoint, region, pathStyle } = location;
  const client = new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    // Servers at an own endpoint usually ignore the region, but the client requires one.
    ...(region === undefined && endpoint !== undefined && !process.env.AWS_REGION ? { region: 'us-east-1' } : {}),
    forcePathStyle: pathStyle,
    maxAttempts: tries,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: timeoutMs, throwOnRequestTimeout: true },
    // Older servers do not have the checksums that are not required.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const signed = new LRUCache<string, string>({ max: MAX_CACHED_URLS });
  /** The limit of a request and its repetitions. */
  const limited = () => ({ abortSignal: AbortSignal.timeout(timeoutMs * tries) });

  const urlOf: BlobContainer['urlOf'] = async (name, now) => {
    if (publicUrl !== undefined) return `${publicUrl}/${name}`;
    const period = Math.floor(now / SIGNATURE_PERIOD_MS);
    // Credentials of a role change, and a URL that is signed with the previous ones expires with them.
    const { accessKeyId } = await client.config.credentials();
    const key = `${period} ${accessKeyId} ${name}`;
    const known = signed.get(key);
    if (known !== undefined) return known;
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: prefix + name }), {
      signingDate: new Date(period * SIGNATURE_PERIOD_MS),
      expiresIn: (2 * SIGNATURE_PERIOD_MS) / 1000,
    });
    signed.set(key, url);
    return url;
  };

  const put: BlobContainer['put'] = (name, bytes, ContentType) =>
    attempt(async () => {
      const object = { Bucket, Key: prefix + name, Body: bytes, ContentType, CacheControl: IMMUTABLE };
      await client.send(new PutObjectCommand(object), limited());
    });

  const create = () =>
    attempt(async () => {
      const found = await client.send(new HeadBucketCommand({ Bucket }), limited()).catch(undefinedIf('NotFound'));
      if (found !== undefined) return;
      await client
        .send(new CreateBucketCommand({ Bucket }), limited())
        .catch(undefinedIf('BucketAlreadyOwnedByYou', 'BucketAlreadyExists'));
    });

  /** Allows pages of any origin to read, as players in browsers need (Fetch §3.2). Existing rules stay. */
  async function allowPlayers(): Promise<void> {
    const found = await client
      .send(new GetBucketCorsCommand({ Bucket }), limited())
      .catch(undefinedIf('NoSuchCORSConfiguration'));
    const rules: CORSRule[] = found?.CORSRules ?? [];
    const isAllowed = rules.some(
      ({ AllowedOrigins = [], AllowedMethods = [] }) => AllowedOrigins.includes('*') && AllowedMethods.includes('GET'),
    );
    if (isAllowed) return;
    const rule: CORSRule = {
      AllowedOrigins: ['*'],
      AllowedMethods: ['GET', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['content-length', 'content-range', 'date'],
      MaxAgeSeconds: 86_400,
    };
    const CORSConfiguration = { CORSRules: [...rules, rule] };
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }), limited());
  }

  return {
    create,
    put,
    urlOf,
    prepare: () =>
      attempt(async () => {
        const created = await create();
        if (!created.ok) throw new ContainerError(created);
        const written = await put(PROBE, Buffer.from('ready\n'), 'text/plain');
        if (!written.ok) throw new ContainerError(written);
        await allowPlayers();
      }),
    probe: () => attempt(async () => readAsPlayer(await urlOf(PROBE, millis(Date.now())))),
    get: (name) =>
      attempt(async () => {
        const object = { Bucket, Key: prefix + name };
        const limit = limited();
        const found = await client.send(new GetObjectCommand(object), limit).catch(undefinedIf('NoSuchKey'));
        return found?.Body && readObject(found.Body as Readable, limit.abortSignal);
      }),
    list: (folder, onProgress) =>
      attempt(async () => {
        const blobs: Blob[] = [];
        let ContinuationToken: string | undefined;
        do {
          const request = { Bucket, Prefix: prefix + folder, ...(ContinuationToken ? { ContinuationToken } : {}) };
          const page = await client.send(new ListObjectsV2Command(request), limited());
          onProgress?.();
          for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
            blobs.push({
              name: Key.slice(prefix.length),
              bytes: Size,
              modifiedAt: millis(LastModified?.getTime() ?? 0),
            });
          ContinuationToken = page.NextContinuationToken;
        } while (ContinuationToken !== undefined);
        return blobs;
      }),
    remove: (name) =>
      attempt(async () => {
        await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }), limited());
      }),
  };
}
