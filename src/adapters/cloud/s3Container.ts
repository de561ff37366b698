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
import type { MediaLocation } from '../../blobs/mediaLocation.ts';
import type { Blob, BlobContainer } from '../../blobs/ports.ts';
import { millis } from '../../time/units.ts';
import { explainFailure, failure } from '../http/exchangeFailure.ts';
import {
  ContainerError,
  type ContainerFailure,
  createContainer,
  IMMUTABLE,
  readObject,
  SIGNATURE_PERIOD_MS,
} from './container.ts';

type S3Location = Extract<MediaLocation, { kind: 's3' }>;

const CONNECT_TIMEOUT_MS = 2000;

/** A predicate of the bucket. */
function failureOf(error: unknown): ContainerFailure {
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

const undefinedIf =
  (...names: string[]) =>
  (error: unknown): undefined => {
    if (!(error instanceof S3ServiceException && names.includes(error.name))) throw error;
  };

type S3Options = { readonly timeoutMs: number; readonly tries: number; readonly publicUrl?: string };

export function openS3Container(location: S3Location, { timeoutMs, tries, publicUrl }: S3Options): BlobContainer {
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
  /** The limit of a request and its repetitions. */
  const limited = () => ({ abortSignal: AbortSignal.timeout(timeoutMs * tries) });

  return createContainer(
    {
      failureOf,
      sign: (name, period) =>
        getSignedUrl(client, new GetObjectCommand({ Bucket, Key: prefix + name }), {
          signingDate: new Date(period * SIGNATURE_PERIOD_MS),
          expiresIn: (2 * SIGNATURE_PERIOD_MS) / 1000,
        }),
      /** Credentials of a role change, and a URL that is signed with the previous ones expires with them. */
      signer: async () => (await client.config.credentials()).accessKeyId,
      async create() {
        const found = await client.send(new HeadBucketCommand({ Bucket }), limited()).catch(undefinedIf('NotFound'));
        if (found !== undefined) return;
        await client
          .send(new CreateBucketCommand({ Bucket }), limited())
          .catch(undefinedIf('BucketAlreadyOwnedByYou', 'BucketAlreadyExists'));
      },
      async put(name, bytes, ContentType) {
        const object = { Bucket, Key: prefix + name, Body: bytes, ContentType, CacheControl: IMMUTABLE };
        await client.send(new PutObjectCommand(object), limited());
      },
      async get(name) {
        const limit = limited();
        const command = new GetObjectCommand({ Bucket, Key: prefix + name });
        const found = await client.send(command, limit).catch(undefinedIf('NoSuchKey'));
        return found?.Body && readObject(found.Body as Readable, limit.abortSignal);
      },
      async list(folder, onProgress) {
        const blobs: Blob[] = [];
        let ContinuationToken: string | undefined;
        do {
          const request = { Bucket, Prefix: prefix + folder, ContinuationToken };
          const page = await client.send(new ListObjectsV2Command(request), limited());
          onProgress?.();
          for (const { Key = '', Size: bytes = 0, LastModified } of page.Contents ?? [])
            blobs.push({ name: Key.slice(prefix.length), bytes, modifiedAt: millis(LastModified?.getTime() ?? 0) });
          ContinuationToken = page.NextContinuationToken;
        } while (ContinuationToken !== undefined);
        return blobs;
      },
      async remove(name) {
        await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + name }), limited());
      },
      async allowPlayers() {
        const found = await client
          .send(new GetBucketCorsCommand({ Bucket }), limited())
          .catch(undefinedIf('NoSuchCORSConfiguration'));
        const rules: CORSRule[] = found?.CORSRules ?? [];
        const allows = ({ AllowedOrigins = [], AllowedMethods = [] }: CORSRule) =>
          AllowedOrigins.includes('*') && AllowedMethods.includes('GET');
        if (rules.some(allows)) return;
        const rule: CORSRule = {
          AllowedOrigins: ['*'],
          AllowedMethods: ['GET', 'HEAD'],
          AllowedHeaders: ['*'],
          ExposeHeaders: ['content-length', 'content-range', 'date'],
          MaxAgeSeconds: 86_400,
        };
        const CORSConfiguration = { CORSRules: [...rules, rule] };
        await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration }), limited());
      },
    },
    publicUrl,
  );
}
