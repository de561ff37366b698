// SPDX-License-Identifier: Apache-2.0
// A blob container of an Azure storage account, or of a compatible service, through the egress guard. Handles accounts,
// CORS rules and signatures; what the blobs contain is left to src/platform/systems. Reasons of failures contain no keys and no
// URLs.
import {
  BlobSASPermissions,
  BlobServiceClient,
  generateBlobSASQueryParameters,
  type HttpOperationResponse,
  type IHttpClient,
  newPipeline,
  RestError,
  SASProtocol,
  StorageSharedKeyCredential,
  type WebResource,
} from '@azure/storage-blob';
import { type Dispatcher, request } from 'undici';
import type { Blob, BlobContainer } from '../../blobs/ports.ts';
import type { CloudTarget } from '../../platform/systems/rules/cloudTarget.ts';
import { millis } from '../../time/units.ts';
import { explainFailure, failure, tooLarge } from '../http/exchangeFailure.ts';
import {
  ContainerError,
  type ContainerFailure,
  createContainer,
  IMMUTABLE,
  readBytes,
  readObject,
  SIGNATURE_PERIOD_MS,
} from './container.ts';

type AzureOptions = {
  readonly dispatcher: Dispatcher;
  /** For one request; 30 s by default. */
  readonly timeoutMs?: number;
  /** Before the first retry of a request, doubled for the next one; 1 s by default. */
  readonly retryDelayMs?: number;
  /** 3 by default. */
  readonly tries?: number;
  /** The names of all blobs start with it; empty, or with a trailing slash. */
  readonly prefix?: string;
  /** The public URL of the prefix. By default, players get signed URLs. */
  readonly publicUrl?: string;
};

/** The limit of CORS rules of a blob service. */
const MAX_CORS_RULES = 5;

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
function explain({ code = '' }: { readonly code?: string | undefined }, statusCode: number): string {
  const what = `returned status ${statusCode}${/^\w+$/.test(code) ? ` (${code})` : ''}`;
  if (statusCode === 403) return `${what}: it rejects the storageKey or this server's address`;
  if (statusCode === 404 && code === 'ContainerNotFound') return `${what}: the container does not exist`;
  return what;
}

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

export function openAzureContainer(target: Omit<CloudTarget, 'location'>, options: AzureOptions): BlobContainer {
  const { dispatcher, timeoutMs = 30_000, retryDelayMs = 1000, tries = 3, prefix = '', publicUrl } = options;
  const credential = new StorageSharedKeyCredential(target.account, target.key);
  const pipeline = newPipeline(credential, {
    httpClient: createGuardedHttpClient(dispatcher, timeoutMs),
    retryOptions: { maxTries: tries, retryDelayInMs: retryDelayMs, maxRetryDelayInMs: 8 * retryDelayMs },
  });
  const service = new BlobServiceClient(target.endpoint, pipeline);
  const container = service.getContainerClient(target.container);

  async function sign(name: string, period: number): Promise<string> {
    const query = generateBlobSASQueryParameters(
      {
        containerName: target.container,
        blobName: prefix + name,
        permissions: BlobSASPermissions.from({ read: true }),
        expiresOn: new Date((period + 2) * SIGNATURE_PERIOD_MS),
        protocol: target.endpoint.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
      },
      credential,
    );
    return `${container.getBlobClient(prefix + name).url}?${query}`;
  }

  const client = {
    failureOf,
    sign,
    allowPlayers: () => allowPlayers(service),
    async create() {
      // Check first: a key may have the right to write blobs but not to create containers.
      if (!(await container.exists())) await container.createIfNotExists();
    },
    async put(name: string, bytes: Uint8Array, blobContentType: string) {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const blobHTTPHeaders = { blobContentType, blobCacheControl: IMMUTABLE };
      await container.getBlockBlobClient(prefix + name).upload(body, bytes.length, { blobHTTPHeaders });
    },
    /** By a signed URL: the HTTP client of this file returns text only. */
    async get(name: string) {
      const signal = AbortSignal.timeout(timeoutMs);
      const url = await sign(name, Math.floor(Date.now() / SIGNATURE_PERIOD_MS));
      const { statusCode, headers, body } = await request(url, { dispatcher, signal });
      if (statusCode === 200) return readObject(body, signal);
      await body.dump({ limit: 16 * 1024 }).catch(() => {});
      if (statusCode === 404) return undefined;
      const code = String(headers['x-ms-error-code'] ?? '');
      throw new ContainerError(failure('httpStatus', explain({ code }, statusCode), statusCode));
    },
    async list(folder: string, onProgress?: () => void) {
      const blobs: Blob[] = [];
      for await (const { segment } of container.listBlobsFlat({ prefix: prefix + folder }).byPage()) {
        onProgress?.();
        for (const { name, properties } of segment.blobItems) {
          const modifiedAt = millis(properties.lastModified.getTime());
          blobs.push({ name: name.slice(prefix.length), bytes: properties.contentLength ?? 0, modifiedAt });
        }
      }
      return blobs;
    },
    async remove(name: string) {
      await container.getBlobClient(prefix + name).deleteIfExists();
    },
  };
  return createContainer(client, publicUrl, dispatcher);
}

// Lets the client of a storage account send its requests through the egress guard. Follows no redirects and limits the
// size of responses; blobs are left to the client.

/** The largest response is a page of a list of blobs. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;

type Headers = Record<string, string>;

const headersOf = (response: Dispatcher.ResponseData): Headers =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

/** @param timeoutMs for each request, including its response */
function createGuardedHttpClient(dispatcher: Dispatcher, timeoutMs: number): IHttpClient {
  return {
    async sendRequest(resource: WebResource): Promise<HttpOperationResponse> {
      const response = await request(resource.url, {
        dispatcher,
        method: resource.method as Dispatcher.HttpMethod,
        // Compressed responses are not requested: their decompressed size has no limit.
        headers: { ...resource.headers.rawHeaders(), 'accept-encoding': 'identity' },
        body: resource.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const body = await readBytes(response.body, MAX_RESPONSE_BYTES, () => tooLarge(MAX_RESPONSE_BYTES));
      const headers = headersOf(response);
      // The only method of the header collection that the client calls.
      const collection = { toJson: () => headers } as unknown as HttpOperationResponse['headers'];
      return { request: resource, status: response.statusCode, headers: collection, bodyAsText: body.toString('utf8') };
    },
  };
}
