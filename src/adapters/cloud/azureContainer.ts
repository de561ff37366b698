// A blob container of an Azure storage account (or of anything that speaks its protocol), through the egress guard. It
// knows accounts, CORS rules and signatures; it refuses to know what the blobs are. Its answers repeat no key and no URL.
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
import type { Blob, BlobContainer, CloudAnswer } from '../../cloud/ports.ts';
import { millis } from '../../time/units.ts';
import { explainFailure, failure } from '../http/exchangeFailure.ts';
import { createGuardedHttpClient } from '../http/guardedHttpClient.ts';

export type AzureOptions = {
  readonly dispatcher: Dispatcher;
  /** For one request; 30 s unless told. */
  readonly timeoutMs?: number;
  /** Between the tries of one request; a second, then two, unless told. */
  readonly retryDelayMs?: number;
};

const TRIES = 3;
/** CORS rules of a blob service. */
const MOST_RULES = 5;
const PROBE = 'm/ready.txt';
const PROBE_TIMEOUT_MS = 4000;
/** A page that is not ours: what it may read, any page may. */
const ORIGIN = 'https://player.example';
/** Signed URLs stay the same for so long, so that caches may keep what they read, and work for as long again. */
const SIGNED_FOR_MS = 6 * 3_600_000;
const KEPT_URLS = 20_000;

/** An answer that is no error of HTTP and not what was wanted. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}
type Refusal = Extract<CloudAnswer<never>, { ok: false }>;

const isTimeout = (error: unknown): boolean => (error as Error | undefined)?.name === 'TimeoutError';

/** What went wrong. */
function failureOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (!(error instanceof RestError)) return isTimeout(error) ? late : explainFailure(error);
  const { statusCode } = error;
  if (statusCode === undefined) return explainFailure(error.cause ?? error);
  return { ok: false, error: 'httpStatus', status: statusCode, reason: explain(error, statusCode) };
}

const late = failure('timeout', 'did not answer in time');

/** An answer, as a predicate of the storage account. */
function explain({ code = '' }: RestError, statusCode: number): string {
  const what = `answered ${statusCode}${/^\w+$/.test(code) ? ` (${code})` : ''}`;
  if (statusCode === 403) return `${what}: it does not accept the storageKey, or lets nobody in from this address`;
  if (statusCode === 404 && code === 'ContainerNotFound') return `${what}: the container is not there`;
  return what;
}

async function attempt<Value>(work: () => Promise<Value>): Promise<CloudAnswer<Value>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    return failureOf(error);
  }
}

/** Any page may read: what players in browsers need (Fetch §3.2). What the account allows already stays as it is. */
async function allowPlayers(service: BlobServiceClient): Promise<void> {
  const { cors = [] } = await service.getProperties();
  const lists = (text: string, wanted: string) => text.split(',').some((part) => part.trim().toUpperCase() === wanted);
  const isAllowed = cors.some((rule) => rule.allowedOrigins.trim() === '*' && lists(rule.allowedMethods, 'GET'));
  if (isAllowed) return;
  if (cors.length >= MOST_RULES) {
    const reason = `has ${MOST_RULES} CORS rules, none of which lets every origin GET, and takes no more`;
    throw new Refused({ ok: false, reason });
  }
  const rule = {
    allowedOrigins: '*',
    allowedMethods: 'GET,HEAD,OPTIONS',
    allowedHeaders: '*',
    exposedHeaders: 'content-length,content-range,date',
    maxAgeInSeconds: 86_400,
  };
  // Only the rules are sent: every other property of the account stays as it is.
  await service.setProperties({ cors: [...cors, rule] });
}

async function create(container: ContainerClient): Promise<void> {
  // A key may be good for blobs and not for making containers: whether it is there is asked first.
  if (!(await container.exists())) await container.createIfNotExists();
}

export function openAzureContainer(target: CloudTarget, options: AzureOptions): BlobContainer {
  const { dispatcher, timeoutMs = 30_000, retryDelayMs = 1000 } = options;
  const credential = new StorageSharedKeyCredential(target.account, target.key);
  const pipeline = newPipeline(credential, {
    httpClient: createGuardedHttpClient(dispatcher, timeoutMs),
    retryOptions: { maxTries: TRIES, retryDelayInMs: retryDelayMs, maxRetryDelayInMs: 8 * retryDelayMs },
  });
  const service = new BlobServiceClient(target.endpoint, pipeline);
  const container = service.getContainerClient(target.container);
  const signed = new LRUCache<string, string>({ max: KEPT_URLS });

  const urlOf: BlobContainer['urlOf'] = (name, now) => {
    const period = Math.floor(now / SIGNED_FOR_MS);
    const key = `${period} ${name}`;
    const known = signed.get(key);
    if (known !== undefined) return known;
    const query = generateBlobSASQueryParameters(
      {
        containerName: target.container,
        blobName: name,
        permissions: BlobSASPermissions.from({ read: true }),
        expiresOn: new Date((period + 2) * SIGNED_FOR_MS),
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
      headers: { origin: ORIGIN },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    await body.dump({ limit: 16 * 1024 }).catch(() => {});
    if (statusCode !== 200)
      throw new Refused(failure('httpStatus', `answered ${statusCode} to a player's request`, statusCode));
    const allowed = String(headers['access-control-allow-origin'] ?? '');
    if (allowed !== '*' && allowed !== ORIGIN)
      throw new Refused({ ok: false, reason: 'has no CORS rule that lets players in browsers read' });
  }

  return {
    urlOf,
    put,
    prepare: () =>
      attempt(async () => {
        await create(container);
        await allowPlayers(service);
        const written = await put(PROBE, Buffer.from('ready\n'), 'text/plain');
        if (!written.ok) throw new Refused(written);
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
