// SPDX-License-Identifier: Apache-2.0
// Writes documents to an index with bulk requests. Documents that the domain rejects temporarily are retried. Documents
// that it rejects permanently are reported and dropped, so that they do not block later ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { isTransientStatus } from '../../../../time/transientStatus.ts';
import type { SearchDocument } from './searchDocuments.ts';
import { type SearchDomain, SearchDomainError } from './searchDomain.ts';

type Outcome = { readonly status: number; readonly error?: { readonly type?: string; readonly reason?: string } };
type BulkResponse = { readonly errors: boolean; readonly items: Readonly<Record<string, Outcome>>[] };

/** The most bytes and documents of one request. */
const MAX_BYTES = 4 * 2 ** 20;
const MAX_DOCUMENTS = 2000;
const MAX_TRIES = 4;

export type BulkOptions = {
  /** Called with the number of documents that were rejected permanently, and the reason of the first one. */
  readonly onRejected: (count: number, reason: string) => void;
  /** Whether to wait until searches find the documents. */
  readonly waitUntilSearchable?: boolean;
  /** Milliseconds before the first retry, doubled for each further one. */
  readonly pauseMs: number;
};

/** The two lines of a document in a bulk request. */
type Entry = { readonly text: string; readonly bytes: number };

function entryOf({ index, id, source, version }: SearchDocument): Entry {
  const place = { _index: index, _id: id };
  const action =
    version === undefined ? { create: place } : { index: { ...place, version, version_type: 'external_gte' } };
  const text = `${JSON.stringify(action)}\n${JSON.stringify(source)}`;
  return { text, bytes: Buffer.byteLength(text) + 1 };
}

function* portions(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let [from, bytes] = [0, 0];
  for (const [to, entry] of entries.entries()) {
    const isFull = to > from && (bytes + entry.bytes > MAX_BYTES || to - from === MAX_DOCUMENTS);
    if (isFull) {
      yield entries.slice(from, to);
      [from, bytes] = [to, 0];
    }
    bytes += entry.bytes;
  }
  if (from < entries.length) yield entries.slice(from);
}

/** @throws {AppError} UNAVAILABLE if the domain is unavailable or overloaded */
export async function writeDocuments(
  domain: SearchDomain,
  documents: readonly SearchDocument[],
  options: BulkOptions,
): Promise<void> {
  for (const portion of portions(documents.map(entryOf))) await writePortion(domain, portion, options);
}

async function writePortion(domain: SearchDomain, portion: readonly Entry[], options: BulkOptions): Promise<void> {
  let left = portion;
  for (let tries = 1; ; tries += 1) {
    const response = await sendBulk(domain, left, options);
    if (response === 'tooLarge') {
      if (left.length === 1) return options.onRejected(1, 'is larger than the domain accepts');
      const half = Math.ceil(left.length / 2);
      await writePortion(domain, left.slice(0, half), options);
      return writePortion(domain, left.slice(half), options);
    }
    left = entriesToRetry(left, response, options);
    if (left.length === 0) return;
    if (tries === MAX_TRIES)
      throw new SearchDomainError('httpStatus', 'returned status 429 for some documents: it is overloaded', 429);
    await sleep(options.pauseMs * 2 ** (tries - 1));
  }
}

async function sendBulk(
  domain: SearchDomain,
  entries: readonly Entry[],
  { waitUntilSearchable = false }: BulkOptions,
): Promise<BulkResponse | 'tooLarge'> {
  try {
    return await domain.call<BulkResponse>({
      method: 'POST',
      path: '/_bulk',
      isOnce: true,
      query: {
        filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason',
        ...(waitUntilSearchable ? { refresh: 'wait_for' } : {}),
      },
      body: entries.map(({ text }) => text),
    });
  } catch (error) {
    if (error instanceof SearchDomainError && error.responseStatus === 413) return 'tooLarge';
    throw error;
  }
}

/** @returns the entries that were rejected temporarily */
function entriesToRetry(
  entries: readonly Entry[],
  { errors, items }: BulkResponse,
  { onRejected }: BulkOptions,
): Entry[] {
  if (errors === false) return [];
  const outcomes = Array.isArray(items) ? items.flatMap((item) => Object.values(item).slice(0, 1)) : [];
  if (outcomes.length !== entries.length)
    throw new SearchDomainError('notJson', 'did not report the outcome of each document');
  // If the domain is full or locked, later documents would fail too, so all of them wait.
  if (outcomes.some(({ status }) => status === 401 || status === 403)) {
    const what = 'returned status 403 for some documents: searchUser has no write permission, or the index is locked';
    throw new SearchDomainError('httpStatus', what, 403);
  }
  const rejected = outcomes.filter(({ status }) => status >= 400 && status !== 409 && !isTransientStatus(status));
  const [first] = rejected;
  if (first !== undefined) onRejected(rejected.length, `${first.status} (${first.error?.type ?? 'no reason given'})`);
  return entries.filter((_, place) => isTransientStatus(outcomes[place]?.status ?? 0));
}
