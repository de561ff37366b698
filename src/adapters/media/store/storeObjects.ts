// SPDX-License-Identifier: Apache-2.0
// The objects of conditioned media in a store: their names, uploads, and what is removed. Lists of names are all that is needed to
// know what exists:
//
//     media/<id>/<upload>/<file>.<n>   the n-th piece of a file
//     meta/<id>/<upload>.json          its description, uploaded last: without it, the pieces are not in the store
//     names/<name>/<id>                another name of a medium, empty
//     used/<id>                        empty; the time of its last change is that of the last use
//
// An upload has its own pieces, so that two workers that make the same medium do not mix theirs.
import { randomBytes } from 'node:crypto';
import type { Blob, BlobStore } from '../../../blobs/ports.ts';
import { packRows } from '../../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import { sleep, type Timers } from '../../../time/clock.ts';
import type { Millis } from '../../../time/units.ts';
import { readFrom } from '../readMediaSegment.ts';

const PIECES = 'media/';
export const DESCRIPTIONS = 'meta/';
export const NAMES = 'names/';
export const USES = 'used/';

/** Small, so that the first segment of a medium does not wait for much, and each request can have the same timeout. */
export const PIECE_BYTES = 4 * 2 ** 20;

export const MEDIA_ID = /^[0-9a-f]{8,64}$/;
const UPLOAD = /^[0-9a-f]{12}$/;

/** An upload of a medium that is complete. */
export type Upload = { readonly id: string; readonly upload: string; readonly at: Millis };
export type Name = { readonly name: string; readonly id: string; readonly at: Millis };

const uploadFolder = (id: string, upload: string): string => `${PIECES}${id}/${upload}/`;
export const pieceName = (id: string, upload: string, file: string, piece: number): string =>
  `${uploadFolder(id, upload)}${file}.${piece}`;
export const descriptionName = (id: string, upload: string): string => `${DESCRIPTIONS}${id}/${upload}.json`;
export const nameOf = (name: string, id: string): string => `${NAMES}${name}/${id}`;

const isMade = (one: Upload): boolean => MEDIA_ID.test(one.id) && UPLOAD.test(one.upload);

export const uploadsIn = (listed: readonly Blob[]): Upload[] =>
  listed
    .map(({ name, modifiedAt }) => {
      const [, id = '', file = ''] = name.split('/');
      return { id, upload: file.replace(/\.json$/, ''), at: modifiedAt };
    })
    .filter(isMade);

/** The first upload of each medium, which all nodes use: two workers may have uploaded it at the same time. */
export function firstUploads(uploads: readonly Upload[]): Map<string, Upload> {
  const first = new Map<string, Upload>();
  for (const one of uploads) {
    const other = first.get(one.id);
    const isFirst = other === undefined || one.at < other.at || (one.at === other.at && one.upload < other.upload);
    if (isFirst) first.set(one.id, one);
  }
  return first;
}

/** The names in a list. If one was given to several media, the last one has it. */
export function namesIn(listed: readonly Blob[]): Map<string, Name> {
  const last = new Map<string, Name>();
  for (const { name: object, modifiedAt: at } of listed) {
    const [, name = '', id = ''] = object.split('/');
    if (!MEDIA_ID.test(name) || !MEDIA_ID.test(id)) continue;
    const other = last.get(name);
    if (other === undefined || at > other.at || (at === other.at && id > other.id)) last.set(name, { name, id, at });
  }
  return last;
}

// Removes from the object store what is not needed: uploads that were interrupted, and, above a size, the media that were not
// used for the longest time. Any number of workers may do this at the same time.

type StoreSweepDeps = {
  readonly blobs: Pick<BlobStore, 'list' | 'remove'>;
  readonly maxBytes: number;
  readonly unusedMs: number;
  readonly now: () => Millis;
  /** Only creatives are removed: an idle channel needs its slate at once. False if the kind is not known. */
  readonly isCreative: (id: string) => boolean;
};

/** `bytes`: what the media in the store occupy. */
type StoreSweep = { readonly removed: readonly string[]; readonly bytes: number };

/** An upload without a description that has not grown for this long was interrupted. */
export const ABANDONED_MS = 3_600_000;

type Group = { readonly names: string[]; bytes: number; newest: number };

/** Groups objects by the beginning of their names. */
function grouped(blobs: readonly Blob[], keyOf: (path: readonly string[]) => string): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { name, bytes, modifiedAt } of blobs) {
    const key = keyOf(name.split('/'));
    const group = groups.get(key) ?? { names: [], bytes: 0, newest: 0 };
    group.names.push(name);
    group.bytes += bytes;
    group.newest = Math.max(group.newest, modifiedAt);
    groups.set(key, group);
  }
  return groups;
}

/** @returns undefined if the store could not be read, or not everything could be removed */
export async function sweepStore(deps: StoreSweepDeps): Promise<StoreSweep | undefined> {
  const { blobs, maxBytes, unusedMs, now, isCreative } = deps;
  // Descriptions last: those of uploads that are complete by then.
  const [pieces, names, uses] = await Promise.all([PIECES, NAMES, USES].map((prefix) => blobs.list(prefix)));
  const described = await blobs.list(DESCRIPTIONS);
  if (!pieces?.ok || !names?.ok || !uses?.ok || !described.ok) return undefined;
  const uploads = firstUploads(uploadsIn(described.value));
  const groups = grouped(pieces.value, ([, id, upload]) => `${id}/${upload}`);
  const usedAt = new Map(uses.value.map(({ name, modifiedAt }) => [name.slice(USES.length), modifiedAt]));
  const isOld = (at: number): boolean => now() - at > ABANDONED_MS;
  let isDone = true;
  const remove = async (all: readonly string[]): Promise<void> => {
    for (const name of all) if (!(await blobs.remove(name)).ok) isDone = false;
  };

  for (const [key, group] of groups) {
    const [id = '', upload] = key.split('/');
    if (uploads.get(id)?.upload !== upload && isOld(group.newest)) await remove(group.names);
  }
  const second = uploadsIn(described.value).filter(({ id, upload }) => uploads.get(id)?.upload !== upload);
  await remove(second.filter(({ at }) => isOld(at)).map(({ id, upload }) => `${DESCRIPTIONS}${id}/${upload}.json`));

  const media = [...uploads.values()]
    .map(({ id, upload, at }) => {
      const group = groups.get(`${id}/${upload}`);
      return { id, names: group?.names ?? [], bytes: group?.bytes ?? 0, usedAt: Math.max(at, usedAt.get(id) ?? 0) };
    })
    .sort((a, b) => a.usedAt - b.usedAt);
  let bytes = media.reduce((sum, each) => sum + each.bytes, 0);
  const removed: string[] = [];
  for (const medium of media) {
    if (bytes <= maxBytes || now() - medium.usedAt < unusedMs) break;
    if (!isCreative(medium.id)) continue;
    // The description first: what has none is not in the store.
    const own = described.value.filter(({ name }) => name.startsWith(`${DESCRIPTIONS}${medium.id}/`));
    await remove([...own.map(({ name }) => name), ...medium.names]);
    bytes -= medium.bytes;
    removed.push(medium.id);
  }
  const gone = (id: string): boolean => removed.includes(id) || !uploads.has(id);
  const left = [...names.value, ...uses.value].filter(({ name, modifiedAt }) => {
    const id = name.slice(name.lastIndexOf('/') + 1);
    return gone(id) && (removed.includes(id) || isOld(modifiedAt));
  });
  await remove(left.map(({ name }) => name));
  return isDone ? { removed, bytes } : undefined;
}

// Uploads a medium from a folder: its files in pieces, and then its description. A medium whose upload was interrupted has no
// description, so it is not in the store.

type UploadDeps = {
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly timers: Timers;
  /** Receives each piece once it is uploaded. */
  readonly onPiece?: (name: string, bytes: Uint8Array) => Promise<void>;
};

const CONCURRENT = 4;
/** A request is repeated for this long. Then the job fails, and is retried later. */
const RETRY_FOR_MS = 60_000;
const RETRY_INTERVAL_MS = 2000;

type Piece = { readonly file: string; readonly number: number; readonly offset: number; readonly length: number };

function piecesOf({ tracks }: PackagedMedia): Piece[] {
  return tracks.flatMap(({ file, initSize, sizes }) => {
    const size = sizes.reduce((sum, each) => sum + each, initSize);
    return Array.from({ length: Math.ceil(size / PIECE_BYTES) }, (_, number): Piece => {
      const offset = number * PIECE_BYTES;
      return { file, number, offset, length: Math.min(PIECE_BYTES, size - offset) };
    });
  });
}

export const pieceNames = (packaged: PackagedMedia, upload: string): string[] =>
  piecesOf(packaged).map(({ file, number }) => pieceName(packaged.media.id, upload, file, number));

/** @returns the name of the upload. @throws if the store does not accept it */
export async function uploadMedia(folder: string, packaged: PackagedMedia, deps: UploadDeps): Promise<string> {
  const { blobs, timers, onPiece } = deps;
  const { id } = packaged.media;
  const upload = randomBytes(6).toString('hex');
  const since = timers.elapsed();

  async function put(name: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const first = timers.elapsed();
    for (;;) {
      const result = await blobs.put(name, bytes, contentType);
      if (result.ok) return;
      if (timers.elapsed() - first > RETRY_FOR_MS) throw new Error(`the object store of media ${result.reason}`);
      await sleep(timers, RETRY_INTERVAL_MS);
    }
  }

  const read = readFrom(folder);
  const pieces = piecesOf(packaged);
  const worker = async () => {
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const bytes = await read(piece.file, piece.offset, piece.length);
      const name = pieceName(id, upload, piece.file, piece.number);
      await put(name, bytes, 'application/octet-stream');
      await onPiece?.(name, bytes);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
  // After a suspension, for example, another worker may already have removed the pieces.
  if (timers.elapsed() - since > ABANDONED_MS / 2) throw new Error('uploading the media took too long');
  const description = Buffer.from(JSON.stringify(packaged, packRows));
  await put(descriptionName(id, upload), description, 'application/json');
  return upload;
}
