// SPDX-License-Identifier: Apache-2.0
// A blob container of an Azure storage account, or of a compatible service, through the egress guard. Handles accounts,
// CORS rules and signatures; what the blobs contain is left to src/cloud. Reasons of failures contain no keys and no
// URLs.
import {
  BlobSASPermissions,
  BlobServiceClient,
  type ContainerClient,
  generateBlobSASQueryParameters,
  newPipeline,
  RestError,
  SASProtocol,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, request } from 'undici';
import type { CloudTarget } from '../../cloud/cloudTarget.ts';
import type { Blob, BlobContainer, CloudResult } from '../../cloud/ports.ts';
import { millis } from '../../time/units.ts';
import { explainFailure, failure } from '../http/exchangeFailure.ts';
import { createGuardedHttpClient } from '../http/guardedHttpClient.ts';

export type AzureOptions = {
  readonly dispatcher: Dispatcher;
  /** For one request; 30 s by default. */
  readonly timeoutMs?: number;
  /** Before the first retry of a request, doubled for the next one; 1 s by default. */
  readonly retryDelayMs?: number;
};

const MAX_TRIES = 3;
/** The limit of CORS rules of a blob service. */
const MAX_CORS_RULES = 5;
const PROBE = 'm/ready.txt';
const PROBE_TIMEOUT_MS = 4000;
/** Stands for any web page: the probe checks that a page of a foreign origin may read blobs. */
const FOREIGN_ORIGIN = 'https://player.example';
/** A signed URL stays the same for this long, so that caches can reuse it, and remains valid for as long again. */
const SIGNATURE_PERIOD_MS = 6 * 3_600_000;
const MAX_CACHED_URLS = 20_000;

/** A failure that this file has detected. */
class ContainerError extends Error {
  readonly failure: ContainerFailure;
  constructor(failure: ContainerFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}
type ContainerFailure = Extract<CloudResult<never>, { ok: false }>;

const isTimeout = (error: unknown): boolean => (error as Error | undefined)?.name === 'TimeoutError';

function failureOf(error: unknown): ContainerFailure {
  if (error instanceof ContainerError) return error.failure;
  if (!(error instanceof RestError)) return isTimeout(error) ? timedOut : explainFailure(error);
  const { statusCode } = error;
  if (statusCode === undefined) return explainFailure(error.cause ?? error);
  return { ok: false, error: 'httpStatus', status: statusCode, reason: explain(error, statusCode) };
}

const timedOut = failure('timeout', 'did not respond in time');

/** A predicate of the storage account. */
function explain({ code = '' }: RestError, statusCode: number): string {
  const what = `returned status ${statusCode}${/^\w+$/.test(code) ? ` (${code})` : ''}`;
  if (statusCode === 403) return `${what}: it rejects the storageKey or this server's address`;
  if (statusCode === 404 && code === 'ContainerNotFound') return `${what}: the container does not exist`;
  return what;
}

async function attempt<Value>(work: () => Promise<Value>): Promise<CloudResult<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failureOf(error);
  }
}

/** Allows pages of any origin to read, as players in browsers need (Fetch §3.2). Existing rules stay. */
async function allowPlayers(service: BlobServiceClient): Promise<void> {
  const { cors = [] } = await service.getProperties();
  const lists = (text: string, name: string) => text.split(',').some((part) => part.trim().toUpperCase() === name);
  const isAllowed = cors.some((rule) => rule.allowedOrigins.trim() === '*' && lists(rule.allowedMethods, 'GET'));
  if (isAllowed) return;
  if (cors.length >= MAX_CORS_RULES) {
    const reason = `has the maximum of ${MAX_CORS_RULES} CORS rules, none of which allows GET from every origin`;
    throw new ContainerError({ ok: false, reason });
  }
  const rule = {
    allowedOrigins: '*',
    allowedMethods: 'GET,HEAD,OPTIONS',
    allowedHeaders: '*',
    exposedHeaders: 'content-length,content-range,date',
    maxAgeInSeconds: 86_400,
  };
  // Sends only the rules, so the other properties of the account stay as they are.
  await service.setProperties({ cors: [...cors, rule] });
}

async function create(container: ContainerClient): Promise<void> {
  // Check first: a key may have the right to write blobs but not to create containers.
  if (!(await container.exists())) await container.createIfNotExists();
}

export function openAzureContainer(target: CloudTarget, options: AzureOptions): BlobContainer {
  const { dispatcher, timeoutMs = 30_000, retryDelayMs = 1000 } = options;
  const credential = new StorageSharedKeyCredential(target.account, target.key);
  const pipeline = newPipeline(credential, {
    httpClient: createGuardedHttpClient(dispatcher, timeoutMs),
    retryOptions: { maxTries: MAX_TRIES, retryDelayInMs: retryDelayMs, maxRetryDelayInMs: 8 * retryDelayMs },
  });
  const service = new BlobServiceClient(target.endpoint, pipeline);
  const container = service.getContainerClient(target.container);
  const signed = new LRUCache<string, string>({ max: MAX_CACHED_URLS });

  const urlOf: BlobContainer['urlOf'] = (name, now) => {
    const period = Math.floor(now / SIGNATURE_PERIOD_MS);
    const key = `${period} ${name}`;
    const known = signed.get(key);
    if (known !== undefined) return known;
    const query = generateBlobSASQueryParameters(
      {
        containerName: target.container,
        blobName: name,
        permissions: BlobSASPermissions.from({ read: true }),
        expiresOn: new Date((period + 2) * SIGNATURE_PERIOD_MS),
        protocol: target.endpoint.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
      },
      credential,
    );
    const url = `${container.getBlobClient(name).url}?${query}`;
    signed.set(key, url);
    return url;
  };

  const put: BlobContainer['put'] = (name, bytes, contentType) =>
    attempt(async () => {
      await container
        .getBlockBlobClient(name)
        .upload(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length, {
          blobHTTPHeaders: {
            blobContentType: contentType,
            blobCacheControl: 'public, max-age=31536000, immutable',
          },
        });
    });

  async function readAsPlayer(): Promise<void> {
    const { statusCode, headers, body } = await request(urlOf(PROBE, millis(Date.now())), {
      dispatcher,
      headers: { origin: FOREIGN_ORIGIN },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await body.dump({ limit: 16 * 1024 }).catch(() => {});
    if (statusCode !== 200)
      throw new ContainerError(
        failure('httpStatus', `returned status ${statusCode} for a player's request`, statusCode),
      );
    const allowed = String(headers['access-control-allow-origin'] ?? '');
    if (allowed !== '*' && allowed !== FOREIGN_ORIGIN)
      throw new ContainerError({ ok: false, reason: 'has no CORS rule that allows players in browsers to read' });
  }

  return {
    urlOf,
    put,
    prepare: () =>
      attempt(async () => {
        await create(container);
        await allowPlayers(service);
        const written = await put(PROBE, Buffer.from('ready\n'), 'text/plain');
        if (!written.ok) throw new ContainerError(written);
      }),
    probe: () => attempt(readAsPlayer),
    list: (prefix) =>
      attempt(async () => {
        const blobs: Blob[] = [];
        for await (const { name, properties } of container.listBlobsFlat({ prefix })) {
          blobs.push({ name, bytes: properties.contentLength ?? 0 });
        }
        return blobs;
      }),
    remove: (name) => attempt(async () => void (await container.getBlobClient(name).deleteIfExists())),
  };
}
