// SPDX-License-Identifier: Apache-2.0
// What containers of all kinds have in common: failures as values, the URLs of players, and the check that a player in a
// browser can read.
import { addAbortSignal, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { type Dispatcher, request } from 'undici';
import type { BlobContainer, CloudResult } from '../../blobs/ports.ts';
import { millis } from '../../time/units.ts';
import { failure } from '../http/exchangeFailure.ts';

/** A blob never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** A signed URL stays the same for this long, so that caches can reuse it, and remains valid for as long again. */
export const SIGNATURE_PERIOD_MS = 6 * 3_600_000;
/** The blob that the check reads. */
const PROBE = 'm/ready.txt';
const MAX_CACHED_URLS = 20_000;
/** Many times the largest object that Midroll stores. */
const MAX_MEBIBYTES = 64;
const PROBE_TIMEOUT_MS = 4000;
/** Stands for any web page: the check is that a page of a foreign origin may read blobs. */
const FOREIGN_ORIGIN = 'https://player.example';

export type ContainerFailure = Extract<CloudResult<never>, { ok: false }>;

/** A failure that an adapter of a container has detected. Never leaves it. */
export class ContainerError extends Error {
  readonly failure: ContainerFailure;
  constructor(failure: ContainerFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

type Operations = Pick<BlobContainer, 'create' | 'put' | 'get' | 'list' | 'remove'>;

/** The client of one kind of container. What it throws becomes a failure. */
type ContainerClient = {
  readonly [Name in keyof Operations]: (
    ...given: Parameters<Operations[Name]>
  ) => Promise<Extract<Awaited<ReturnType<Operations[Name]>>, { ok: true }>['value']>;
} & {
  failureOf(error: unknown): ContainerFailure;
  /** Signs a URL that is valid for two periods from the start of this one. */
  sign(name: string, period: number): Promise<string>;
  /** What signatures depend on besides: a URL that was signed with other credentials is not used again. */
  signer?(): Promise<string>;
  /** Allows pages of any origin to read, as players in browsers need (Fetch §3.2). Existing rules stay. */
  allowPlayers(): Promise<void>;
};

/** @param publicUrl of the prefix. By default, players get signed URLs */
export function createContainer(client: ContainerClient, publicUrl?: string, dispatcher?: Dispatcher): BlobContainer {
  const signed = new LRUCache<string, string>({ max: MAX_CACHED_URLS });

  async function attempt<Value>(work: () => Promise<Value>): Promise<CloudResult<Value>> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      return client.failureOf(error);
    }
  }

  const urlOf: BlobContainer['urlOf'] = async (name, now) => {
    if (publicUrl !== undefined) return `${publicUrl}/${name}`;
    const period = Math.floor(now / SIGNATURE_PERIOD_MS);
    const key = `${period} ${(await client.signer?.()) ?? ''} ${name}`;
    const url = signed.get(key) ?? (await client.sign(name, period));
    signed.set(key, url);
    return url;
  };

  return {
    urlOf,
    create: () => attempt(client.create),
    put: (name, bytes, contentType) => attempt(() => client.put(name, bytes, contentType)),
    get: (name) => attempt(() => client.get(name)),
    list: (prefix, onProgress) => attempt(() => client.list(prefix, onProgress)),
    remove: (name) => attempt(() => client.remove(name)),
    prepare: () =>
      attempt(async () => {
        await client.create();
        await client.put(PROBE, Buffer.from('ready\n'), 'text/plain');
        await client.allowPlayers();
      }),
    probe: () => attempt(async () => readAsPlayer(await urlOf(PROBE, millis(Date.now())), dispatcher)),
  };
}

/** @throws {ContainerError} if a player in a browser cannot read it */
async function readAsPlayer(url: string, dispatcher: Dispatcher | undefined): Promise<void> {
  const { statusCode, headers, body } = await request(url, {
    ...(dispatcher ? { dispatcher } : {}),
    headers: { origin: FOREIGN_ORIGIN },
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  });
  await body.dump({ limit: 16 * 1024 }).catch(() => {});
  if (statusCode !== 200)
    throw new ContainerError(failure('httpStatus', `returned status ${statusCode} for a player's request`, statusCode));
  const allowed = String(headers['access-control-allow-origin'] ?? '');
  if (allowed !== '*' && allowed !== FOREIGN_ORIGIN)
    throw new ContainerError({ ok: false, reason: 'has no CORS rule that allows players in browsers to read' });
}

/** @throws what `tooLarge` returns if it has more bytes */
export async function readBytes(body: Readable, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws {ContainerError} if it is larger than any object that Midroll stores */
export async function readObject(body: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const tooLarge = () => new ContainerError(failure('failed', `returned an object of more than ${MAX_MEBIBYTES} MiB`));
  return new Uint8Array(await readBytes(addAbortSignal(signal, body), MAX_MEBIBYTES * 2 ** 20, tooLarge));
}
