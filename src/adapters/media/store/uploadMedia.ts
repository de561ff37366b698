// SPDX-License-Identifier: Apache-2.0
// Uploads a medium from a folder: its files in pieces, and then its description. A medium whose upload was interrupted has no
// description, so it is not in the store.
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../../blobs/ports.ts';
import { packRows } from '../../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import { sleep, type Timers } from '../../../time/clock.ts';
import { descriptionName, PIECE_BYTES, pieceName } from './objectNames.ts';
import { ABANDONED_MS } from './sweepStore.ts';

export type UploadDeps = {
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

/** The names of the objects with the files of a medium. */
export const pieceNames = (packaged: PackagedMedia, upload: string): string[] =>
  piecesOf(packaged).map(({ file, number }) => pieceName(packaged.media.id, upload, file, number));

async function readPiece(folder: string, { file, offset, length }: Piece): Promise<Uint8Array> {
  const handle = await open(join(folder, file));
  try {
    const bytes = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await handle.read(bytes, 0, length, offset);
    if (bytesRead !== length) throw new Error(`${file} must have ${length} bytes at ${offset}; got ${bytesRead}.`);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** @returns the name of the upload. @throws if the store does not accept it */
export async function uploadMedia(
  folder: string,
  packaged: PackagedMedia,
  { blobs, timers, onPiece }: UploadDeps,
): Promise<string> {
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

  const pieces = piecesOf(packaged);
  const worker = async () => {
    for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
      const bytes = await readPiece(folder, piece);
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
