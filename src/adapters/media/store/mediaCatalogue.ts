// SPDX-License-Identifier: Apache-2.0
// What this node knows of the media in the object store: which exist, under which names, and their descriptions. Lists of the
// store are read periodically; media that are needed before are looked up. Everything is also kept on disk, so that a node that
// starts while the store is unavailable still plays the media in its cache.
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { BlobStore, CloudResult } from '../../../blobs/ports.ts';
import { unpackRows } from '../../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import { type Timers, within } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { writeWhole } from '../../writeWhole.ts';
import {
  DESCRIPTIONS,
  descriptionName,
  firstUploads,
  MEDIA_ID,
  NAMES,
  type Name,
  namesIn,
  type Upload,
  USES,
  uploadsIn,
} from './storeObjects.ts';

export type StoredMedium = { readonly packaged: PackagedMedia; readonly upload: string };

const WAIT_MS = 3000;
/** Milliseconds for which a medium that does not exist is not looked up again. */
const ABSENT_MS = 3000;
/** Descriptions that are read at the same time. */
const CONCURRENT = 8;

/** `seenAt`: when this node has read it; a list that was requested before does not remove it. */
type Seen<Value> = Value & { readonly seenAt: number };

export function createMediaCatalogue(folder: string, blobs: Pick<BlobStore, 'get' | 'list'>, timers: Timers) {
  let uploads = new Map<string, Seen<Upload>>();
  let names = new Map<string, Seen<Name>>();
  const used = new Map<string, Millis>();
  const descriptions = new LRUCache<string, PackagedMedia>({ max: 1000 });
  const absent = new LRUCache<string, true>({ max: 10_000, ttl: ABSENT_MS });
  /** Incremented when media are made: a lookup that began before does not show that they are absent. */
  let made = 0;
  const looking = new Map<string, Promise<boolean>>();
  /** The files of descriptions on the disk: reading them to find out would take too long. */
  const onDisk = new Set(namesOfFiles(folder));
  let saved = '';
  const seen = <Value>(value: Value): Seen<Value> => ({ ...value, seenAt: timers.elapsed() });
  const fileOf = ({ id, upload }: Pick<Upload, 'id' | 'upload'>): string => join(folder, `${id}-${upload}.json`);
  const keyOf = ({ id, upload }: Upload): string => `${id} ${upload}`;

  for (const one of readSaved(folder).uploads) uploads.set(one.id, { ...one, seenAt: Number.NEGATIVE_INFINITY });
  for (const one of readSaved(folder).names) names.set(one.name, { ...one, seenAt: Number.NEGATIVE_INFINITY });

  const isDescribed = (upload: Upload): boolean => descriptions.has(keyOf(upload)) || onDisk.has(fileOf(upload));

  function describe(upload: Upload): PackagedMedia | undefined {
    const known = descriptions.get(keyOf(upload)) ?? readDescription(fileOf(upload));
    if (known !== undefined) descriptions.set(keyOf(upload), known);
    // A file that is damaged, for example by a power failure, is replaced when the description has been read from the store.
    else onDisk.delete(fileOf(upload));
    return known;
  }

  /** Finds a medium by its id or another name. Undefined if this node does not have its description. */
  function find(id: string): StoredMedium | undefined {
    const upload = uploads.get(id) ?? uploads.get(names.get(id)?.id ?? '');
    const packaged = upload && describe(upload);
    return packaged && { packaged, upload: upload.upload };
  }

  async function keep(upload: Upload, text: string): Promise<void> {
    descriptions.set(keyOf(upload), JSON.parse(text, unpackRows) as PackagedMedia);
    await writeWhole(fileOf(upload), text).then(
      () => onDisk.add(fileOf(upload)),
      () => undefined, // memory suffices
    );
  }

  /** @returns false if the store does not respond */
  async function readUpload(upload: Upload): Promise<boolean> {
    if (describe(upload) !== undefined) return true;
    const read = await blobs.get(descriptionName(upload.id, upload.upload));
    if (read.ok && read.value !== undefined) await keep(upload, Buffer.from(read.value).toString('utf8'));
    return read.ok;
  }

  async function lookUp(id: string, isAlias = false): Promise<boolean> {
    const madeBefore = made;
    const [own, named] = await Promise.all([
      blobs.list(`${DESCRIPTIONS}${id}/`),
      isAlias ? ({ ok: true, value: [] } as const) : blobs.list(`${NAMES}${id}/`),
    ]);
    if (!own.ok || !named.ok) return false;
    const upload = firstUploads(uploadsIn(own.value)).get(id);
    if (upload !== undefined) {
      uploads.set(id, seen(upload));
      return readUpload(upload);
    }
    const name = namesIn(named.value).get(id);
    if (name !== undefined) {
      names.set(id, seen(name));
      return find(id) !== undefined || lookUp(name.id, true);
    }
    if (made === madeBefore) absent.set(id, true);
    return true;
  }

  function lookUpOnce(id: string): Promise<boolean> {
    if (absent.has(id)) return Promise.resolve(true);
    const own = looking.get(id) ?? lookUp(id).finally(() => looking.delete(id));
    looking.set(id, own);
    return own;
  }

  async function save(): Promise<void> {
    const [known, named] = [[...uploads.values()], [...names.values()]];
    const text = JSON.stringify({ uploads: known.map(withoutSeen), names: named.map(withoutSeen) });
    if (text === saved) return;
    await writeWhole(join(folder, CATALOGUE_FILE), text);
    saved = text;
    const kept = new Set([CATALOGUE_FILE, ...known.map(({ id, upload }) => `${id}-${upload}.json`)]);
    const old = (await readdir(folder)).filter((name) => !kept.has(name) && !name.startsWith('.'));
    for (const name of old) onDisk.delete(join(folder, name));
    await Promise.all(old.map((name) => rm(join(folder, name), { force: true })));
  }

  async function readMissing(): Promise<void> {
    const missing = [...uploads.values()].filter((one) => !isDescribed(one));
    const worker = async () => {
      for (let next = missing.pop(); next !== undefined; next = missing.pop()) if (!(await readUpload(next))) return;
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
  }

  return {
    find,
    /** Waits some seconds at most. @returns false if the store does not respond */
    async load(ids: readonly string[]): Promise<boolean> {
      const missing = [...new Set(ids)].filter((id) => MEDIA_ID.test(id) && find(id) === undefined);
      if (missing.length === 0) return true;
      const found = await within(timers, WAIT_MS, Promise.all(missing.map(lookUpOnce)));
      return found?.every(Boolean) ?? false;
    },
    /** Another node has made these media: they are looked up again although they did not exist. @param ids undefined: any */
    forgetAbsent(ids?: ReadonlySet<string>): void {
      made += 1;
      for (const id of ids ?? [...absent.keys()]) absent.delete(id);
    },
    /** Reads what exists, and the descriptions that are missing here. */
    async refresh(): Promise<void> {
      const since = timers.elapsed();
      const lists = await Promise.all([DESCRIPTIONS, NAMES, USES].map((prefix) => blobs.list(prefix)));
      const [described, named, uses] = lists as [Listed, Listed, Listed];
      if (!described.ok || !named.ok || !uses.ok) return;
      uploads = merged(firstUploads(uploadsIn(described.value)), uploads, since);
      names = merged(namesIn(named.value), names, since);
      for (const { name, modifiedAt } of uses.value) {
        const id = name.slice(USES.length);
        if (modifiedAt > (used.get(id) ?? 0)) used.set(id, modifiedAt);
      }
      for (const id of used.keys()) if (!uploads.has(id)) used.delete(id);
      await readMissing();
      await save().catch(() => undefined); // a full disk does not matter until the next start
    },
    /** Adds what this node has stored, or forgets what it has removed. */
    add(upload: Upload, packaged: PackagedMedia): void {
      absent.delete(upload.id);
      uploads.set(upload.id, seen(upload));
      descriptions.set(keyOf(upload), packaged);
    },
    addName(name: Name): void {
      absent.delete(name.name);
      names.set(name.name, seen(name));
    },
    forget(id: string): void {
      uploads.delete(id);
      names.delete(id);
      used.delete(id);
    },
    usedAt(id: string): Millis | undefined {
      const at = uploads.get(id)?.at;
      const last = used.get(id);
      return at === undefined || (last !== undefined && last > at) ? last : at;
    },
    noteUse: (id: string, at: Millis) => void used.set(id, at),
  };
}

type Listed = Awaited<ReturnType<BlobStore['list']>> & CloudResult<unknown>;

const withoutSeen = <Value>({ seenAt: _, ...value }: Seen<Value>) => value;

/** What a list contains, and what was seen after the list was requested. */
function merged<Value extends object>(
  listed: ReadonlyMap<string, Value>,
  before: ReadonlyMap<string, Seen<Value>>,
  since: number,
): Map<string, Seen<Value>> {
  const result = new Map<string, Seen<Value>>();
  for (const [key, value] of listed) result.set(key, { ...value, seenAt: since });
  for (const [key, value] of before) if (value.seenAt >= since && !result.has(key)) result.set(key, value);
  return result;
}

// The files in which a node keeps what it knows of the media in the object store.

const CATALOGUE_FILE = 'catalogue.json';

type Saved = { readonly uploads: readonly Upload[]; readonly names: readonly Name[] };

function readSaved(folder: string): Saved {
  try {
    return JSON.parse(readFileSync(join(folder, CATALOGUE_FILE), 'utf8')) as Saved;
  } catch {
    return { uploads: [], names: [] }; // at the first start, or if the file is damaged
  }
}

function namesOfFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // the first start
  }
}

function readDescription(path: string): PackagedMedia | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'), unpackRows) as PackagedMedia;
  } catch {
    return undefined;
  }
}
