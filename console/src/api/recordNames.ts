// SPDX-License-Identifier: Apache-2.0
// Names of channels, playlists, systems and ad sources by id. One small cache for all pages; ids that pages need at the same time are requested
// together.
import { useEffect, useMemo } from 'preact/hooks';
import { createStore } from '../stores/createStore.ts';
import { call } from './call.ts';

const KINDS = ['channels', 'playlists', 'systems', 'adSources'] as const;
export type NamedKind = (typeof KINDS)[number];

/** How long a name is used before it is read again. Milliseconds. */
const FRESH_MS = 30_000;
/** Ids of one kind in one request. */
const MAX_IDS = 50;

type Known = { readonly name: string | undefined; readonly at: number };
const known = new Map<string, Known>();
let wanted = new Set<string>();
let isScheduled = false;
/** How often names were read. */
const reads = createStore(0);

const keyOf = (kind: NamedKind, id: string): string => `${kind}/${id}`;

/** Keeps a name that a page knows, so that it is shown without a request. */
export const learnName = (kind: NamedKind, id: string, name: string | undefined): void =>
  void known.set(keyOf(kind, id), { name, at: Date.now() });

async function read(): Promise<void> {
  isScheduled = false;
  const keys = [...wanted].slice(0, MAX_IDS);
  wanted = new Set([...wanted].slice(MAX_IDS));
  const query: Partial<Record<NamedKind, string>> = {};
  for (const kind of KINDS) {
    const ids = keys.filter((key) => key.startsWith(`${kind}/`)).map((key) => key.slice(kind.length + 1));
    if (ids.length > 0) query[kind] = ids.join();
  }
  // Without a response, pages show ids; the next page requests the names again.
  const { body } = await call('GET', '/names', { query }).catch(() => ({ body: undefined }));
  for (const key of keys) {
    const [kind, ...id] = key.split('/') as [NamedKind, ...string[]];
    if (body) learnName(kind, id.join('/'), body[kind][id.join('/')]);
  }
  reads.write(reads.read() + 1);
  if (wanted.size > 0) schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => void read());
}

function want(kind: NamedKind, id: string): void {
  const found = known.get(keyOf(kind, id));
  if (found && Date.now() - found.at < FRESH_MS) return;
  wanted.add(keyOf(kind, id));
  schedule();
}

/** @returns the name of a record, or its id if it has none, or until the name is known */
export function useRecordNames(kind: NamedKind, ids: readonly string[]): (id: string) => string {
  const count = reads.use();
  // No id contains a space.
  const joined = ids.join(' ');
  useEffect(() => {
    for (const id of joined.split(' ')) if (id !== '') want(kind, id);
  }, [kind, joined]);
  // Another function after each read, so that what depends on names is made again.
  return useMemo(() => {
    void count;
    return (id: string) => known.get(keyOf(kind, id))?.name || id;
  }, [kind, count]);
}
