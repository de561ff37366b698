// SPDX-License-Identifier: Apache-2.0
// The shelf of conditioned media: what the database calls ready exists, and the files of each medium are whole.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mib, NAME_SUFFIX } from '../../adapters/media/mediaSweep.ts';
import { readyMedia } from '../../adapters/sql/maintenance/storedRows.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { type Finding, ok, warning } from '../doctor/finding.ts';

const MEDIUM = /^[0-9a-f]{8,64}$/;
const SUBJECT = 'Media';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** @returns what is wrong with a medium, or its size */
async function examine(folder: string): Promise<{ readonly fault: string } | { readonly bytes: number }> {
  let packaged: PackagedMedia;
  try {
    packaged = JSON.parse(await readFile(join(folder, 'meta.json'), 'utf8')) as PackagedMedia;
  } catch {
    return { fault: 'meta.json cannot be read' };
  }
  let bytes = 0;
  for (const { file, initSize, sizes } of packaged.tracks) {
    const found = await stat(join(folder, file)).catch(() => undefined);
    const expected = initSize + sum(sizes);
    if (found === undefined) return { fault: `${file} is missing` };
    if (found.size < expected) return { fault: `${file} has ${found.size} bytes of ${expected}` };
    bytes += found.size;
  }
  return { bytes };
}

/** @param note called with the progress */
export async function checkShelf(dataDir: string, store: Sql, note: (text: string) => void): Promise<Finding[]> {
  const roots = [join(dataDir, 'media'), join(dataDir, 'prebuilt')];
  const present = new Map<string, string>();
  for (const root of roots)
    for (const name of (await readdir(root).catch(() => [])).filter((one) => MEDIUM.test(one)))
      if (!present.has(name)) present.set(name, join(root, name));
  const findings: Finding[] = [];
  let bytes = 0;
  let examined = 0;
  for (const [name, folder] of present) {
    const result = await examine(folder);
    examined += 1;
    if (examined % 1000 === 0) note(`Examined ${examined} of ${present.size} media`);
    if ('bytes' in result) bytes += result.bytes;
    else
      findings.push(
        warning(SUBJECT, `${name}: ${result.fault}`, `Delete ${folder}; the medium is made again when it is needed.`),
      );
  }
  const missing: string[] = [];
  for (const { id, mediaId } of await readyMedia(store))
    if (!present.has(mediaId) && !present.has(await namedBy(roots, id))) missing.push(id);
  if (missing.length > 0)
    findings.push(
      warning(
        SUBJECT,
        `${missing.length} creatives are ready in the database and not in ${roots[0]}: ${missing.slice(0, 3).join(', ')}`,
        'They are made again when a break needs them. Check that DATA_DIR is that of the servers.',
      ),
    );
  return [...findings, ok(SUBJECT, `${present.size} media, ${mib(bytes)} MiB`)];
}

async function namedBy(roots: readonly string[], name: string): Promise<string> {
  for (const root of roots) {
    const text = await readFile(join(root, name + NAME_SUFFIX), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return '';
}
