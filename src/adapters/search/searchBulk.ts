// Brings documents into an index, so many at a time. What the domain has no room for just now comes again a little later;
// what it will never take is said once and let go, so that it does not hold up everything behind it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchDocument } from './searchDocuments.ts';
import { type SearchDomain, SearchTrouble } from './searchDomain.ts';

type Outcome = { readonly status: number; readonly error?: { readonly type?: string; readonly reason?: string } };
type BulkAnswer = {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, Outcome>>[];
};

const MOST_BYTES = 4 * 2 ** 20;
const MOST_DOCUMENTS = 2000;
const TRIES = 4;

export type BulkOptions = {
  readonly refused: (count: number, first: string) => void;
  /** Resolves when what was brought is found. */
  readonly untilFound?: boolean;
  /** Milliseconds before the second try, doubled for each further one. */
  readonly pauseMs: number;
};

/** Two lines of a request. */
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
  for (let to = 0; to < entries.length; to += 1) {
    const isFull = to > from && (bytes + entries[to]!.bytes > MOST_BYTES || to - from === MOST_DOCUMENTS);
    if (isFull) {
      yield entries.slice(from, to);
      [from, bytes] = [to, 0];
    }
    bytes += entries[to]!.bytes;
  }
  if (from < entries.length) yield entries.slice(from);
}

const isPassing = (status: number): boolean => status === 429 || status >= 500;

/**
 * Each document once: one that is there already, or in a later version (409), was brought before.
 * @throws {AppError} UNAVAILABLE while the domain is away or has no room
 */
export async function bringDocuments(
  domain: SearchDomain,
  documents: readonly SearchDocument[],
  options: BulkOptions,
): Promise<void> {
  for (const portion of portions(documents.map(entryOf))) await bring(domain, portion, options);
}

async function bring(domain: SearchDomain, portion: readonly Entry[], options: BulkOptions): Promise<void> {
  let left = portion;
  for (let tried = 1; ; tried += 1) {
    const answer = await ask(domain, left, options.untilFound ?? false);
    if (answer === 'tooLarge') {
      if (left.length === 1) return options.refused(1, 'is larger than the domain takes');
      const half = Math.ceil(left.length / 2);
      await bring(domain, left.slice(0, half), options);
      return bring(domain, left.slice(half), options);
    }
    left = sort(left, answer, options);
    if (left.length === 0) return;
    if (tried === TRIES) throw new SearchTrouble('httpStatus', 'answered 429 for a part: it has too much to do', 429);
    await sleep(options.pauseMs * 2 ** (tried - 1));
  }
}

async function ask(
  domain: SearchDomain,
  entries: readonly Entry[],
  untilFound: boolean,
): Promise<BulkAnswer | 'tooLarge'> {
  try {
    return await domain.call<BulkAnswer>({
      method: 'POST',
      path: '/_bulk',
      isOnce: true,
      query: {
        filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason',
        ...(untilFound ? { refresh: 'wait_for' } : {}),
      },
      body: entries.map(({ text }) => text),
    });
  } catch (error) {
    if (error instanceof SearchTrouble && error.answered === 413) return 'tooLarge';
    throw error;
  }
}

/** @returns those that come again */
function sort(entries: readonly Entry[], { errors, items }: BulkAnswer, { refused }: BulkOptions): Entry[] {
  if (errors === false) return [];
  if (!Array.isArray(items) || items.length !== entries.length) {
    throw new SearchTrouble('notJson', 'did not say what became of each document');
  }
  const outcomes = items.map((item: Readonly<Record<string, Outcome>>) => Object.values(item)[0]!);
  // Without room for a new index nothing that comes later has room either: it waits.
  if (outcomes.some(({ status }) => status === 401 || status === 403)) {
    const what = 'answered 403 for a part: searchUser may not write there, or the index is locked';
    throw new SearchTrouble('httpStatus', what, 403);
  }
  const lost = outcomes.filter(({ status }) => status >= 400 && status !== 409 && !isPassing(status));
  if (lost.length > 0) refused(lost.length, `${lost[0]!.status} (${lost[0]!.error?.type ?? 'no reason given'})`);
  return entries.filter((_, place) => isPassing(outcomes[place]!.status));
}
