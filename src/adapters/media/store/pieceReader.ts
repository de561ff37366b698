// SPDX-License-Identifier: Apache-2.0
// Reads files of a medium from its pieces.
import type { ReadFile } from '../readMediaSegment.ts';
import type { StoredMedium } from './mediaCatalogue.ts';
import { PIECE_BYTES, pieceName } from './objectNames.ts';
import type { PieceCache } from './pieceCache.ts';

/** The store does not have a piece of a medium that is in the catalogue, or not all of it. */
export class MissingPiece extends Error {
  readonly medium: StoredMedium;

  constructor(message: string, medium: StoredMedium) {
    super(message);
    this.medium = medium;
  }
}

/** The reader of a medium. It throws MissingPiece. */
export const createPieceReader =
  (pieces: Pick<PieceCache, 'read'>) =>
  (medium: StoredMedium): ReadFile => {
    const { id } = medium.packaged.media;
    return async (file, offset, length) => {
      const found: Uint8Array[] = [];
      for (let at = offset; at < offset + length; ) {
        const piece = Math.floor(at / PIECE_BYTES);
        const from = at - piece * PIECE_BYTES;
        const want = Math.min(PIECE_BYTES - from, offset + length - at);
        const bytes = await pieces.read(pieceName(id, medium.upload, file, piece), from, want);
        if (bytes?.length !== want) throw new MissingPiece(`${file} of ${id} has no ${want} bytes at ${at}.`, medium);
        found.push(bytes);
        at += want;
      }
      return found.length === 1 ? found[0]! : Buffer.concat(found);
    };
  };
