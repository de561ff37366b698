// SPDX-License-Identifier: Apache-2.0
// The files in which a node keeps what it knows of the media in the object store.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackRows } from '../../../ingest/package/packAsset.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import type { Name, Upload } from './objectNames.ts';

export const CATALOGUE_FILE = 'catalogue.json';

type Saved = { readonly uploads: readonly Upload[]; readonly names: readonly Name[] };

export function readSaved(folder: string): Saved {
  try {
    return JSON.parse(readFileSync(join(folder, CATALOGUE_FILE), 'utf8')) as Saved;
  } catch {
    return { uploads: [], names: [] }; // of the first start, or of another version
  }
}

export function namesOfFiles(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // the first start
  }
}

export function readDescription(path: string): PackagedMedia | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'), unpackRows) as PackagedMedia;
  } catch {
    return undefined;
  }
}
