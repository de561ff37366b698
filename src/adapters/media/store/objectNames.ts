// SPDX-License-Identifier: Apache-2.0
// The names of the objects of conditioned media in a store. Lists of names are all that is needed to know what exists:
//
//     media/<id>/<upload>/<file>.<n>   the n-th piece of a file
//     meta/<id>/<upload>.json          its description, uploaded last: without it, the pieces are not in the store
//     names/<name>/<id>                another name of a medium, empty
//     used/<id>                        empty; the time of its last change is that of the last use
//
// An upload has its own pieces, so that two workers that make the same medium do not mix theirs.
import type { Blob } from '../../../blobs/ports.ts';
import type { Millis } from '../../../time/units.ts';

export const PIECES = 'media/';
export const DESCRIPTIONS = 'meta/';
export const NAMES = 'names/';
export const USES = 'used/';

/** Small, so that the first segment of a medium does not wait for much, and each request can have the same timeout. */
export const PIECE_BYTES = 4 * 2 ** 20;

export const MEDIA_ID = /^[0-9a-f]{8,64}$/;
const UPLOAD = /^[0-9a-f]{12}$/;

/** An upload of a medium that is complete. */
export type Upload = { readonly id: string; readonly upload: string; readonly at: Millis };
/** Another name of the medium `id`. */
export type Name = { readonly name: string; readonly id: string; readonly at: Millis };

export const uploadFolder = (id: string, upload: string): string => `${PIECES}${id}/${upload}/`;
export const pieceName = (id: string, upload: string, file: string, piece: number): string =>
  `${uploadFolder(id, upload)}${file}.${piece}`;
export const descriptionName = (id: string, upload: string): string => `${DESCRIPTIONS}${id}/${upload}.json`;
export const nameOf = (name: string, id: string): string => `${NAMES}${name}/${id}`;

const isMade = (one: Upload): boolean => MEDIA_ID.test(one.id) && UPLOAD.test(one.upload);

/** The uploads of descriptions in a list. */
export const uploadsIn = (listed: readonly Blob[]): Upload[] =>
  listed
    .map(({ name, modifiedAt }) => {
      const [, id = '', file = ''] = name.split('/');
      return { id, upload: file.replace(/\.json$/, ''), at: modifiedAt };
    })
    .filter(isMade);

/**
 * The upload of each medium that all nodes use: the first one. Two workers may have uploaded the same medium at the same time.
 */
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
