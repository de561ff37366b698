// SPDX-License-Identifier: Apache-2.0
// `midroll check`: the consistency of the database, the shelf of media and the spools. It changes nothing, and servers can run.

import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { mib, NAME_SUFFIX } from '../../adapters/media/mediaSweep.ts';
import { inspectStore } from '../../adapters/sql/inspectStore.ts';
import { findLooseRows } from '../../adapters/sql/maintenance/looseRows.ts';
import { readyMedia } from '../../adapters/sql/maintenance/storedRows.ts';
import { KEY_FILE, openSecretBox, SecretKeyMismatch } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { UNRELEASED, UNRELEASED_ADVICE } from '../../adapters/sql/sqlMigrate.ts';
import type { Config } from '../../config.ts';
import { schema as current, openSql } from '../../database.ts';
import { describeError } from '../../errors.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';
import { checkLogs } from './checkLogs.ts';
import { checkKeys, checkRecords } from './checkRecords.ts';

/** @param note called with the progress */
export async function checkInstallation(config: Config, note: (text: string) => void): Promise<Finding[]> {
  let schema: string;
  try {
    ({ schema } = await inspectStore(current, config));
  } catch (error) {
    return [failed('Database', `not readable: ${describeError(error)}`, 'Run "midroll doctor" for more.')];
  }
  // Opening the database of another version would migrate it.
  if (schema === 'absent' || schema === 'empty')
    return [failed('Database', 'has no tables of Midroll', 'Set DATA_DIR or DATABASE_URL as for your servers.')];
  if (schema === 'unreleased') return [failed('Database', UNRELEASED, UNRELEASED_ADVICE)];
  if (schema === 'older')
    return [
      failed('Database', 'has the schema of an older version', 'Check with that version, or run "midroll upgrade".'),
    ];
  if (schema === 'newer') return [failed('Database', 'has the schema of a newer version', 'Check with that version.')];
  const store = await openSql(config);
  try {
    return [
      ...checkFile(store, note),
      ...(await checkStored(config, store)),
      ...(config.MEDIA_URL === undefined
        ? await checkShelf(config.DATA_DIR, store, note)
        : [ok('Media', 'in the object store of MEDIA_URL, which "midroll doctor" checks')]),
      ...(await checkSpools(config.DATA_DIR)),
    ];
  } finally {
    await store.close();
  }
}

/** SQLite: pages, indexes and their agreement. PostgreSQL checks pages itself (`data_checksums`). */
function checkFile({ sqlite }: Sql, note: (text: string) => void): Finding[] {
  if (sqlite === undefined) return [ok('Database', 'PostgreSQL responds')];
  const bytes =
    Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
  note(`Checking ${Math.ceil(bytes / 2 ** 20)} MiB of the database`);
  const rows = sqlite.pragma('integrity_check(5)') as { integrity_check: string }[];
  const faults = rows.map(({ integrity_check: text }) => text).filter((text) => text !== 'ok');
  if (faults.length === 0) return [ok('Database', 'the file is whole')];
  return faults.map((fault) =>
    failed('Database', `the file is damaged: ${fault}`, 'Stop the servers and restore a backup: docs/backup.md.'),
  );
}

async function checkStored(config: Config, store: Sql): Promise<Finding[]> {
  const loose = await findLooseRows(store, config.REDIS_URL === undefined);
  const rows = loose.map(({ table, owner, count, isLate }) =>
    warning(
      'Rows',
      `${count} rows of ${table} belong to no row of ${owner}`,
      isLate
        ? 'Running servers delete them within a minute. If they remain, the log has the reason.'
        : 'They have no effect and can be deleted. Report it with the version that you use.',
    ),
  );
  // Opening the box would create a key.
  if (config.SECRET_KEY === undefined && !existsSync(join(config.DATA_DIR, KEY_FILE)))
    return [
      ...rows,
      failed('Secret key', `${KEY_FILE} is not in DATA_DIR`, 'Restore it, or set SECRET_KEY as before.'),
    ];
  try {
    const box = await openSecretBox(config, store);
    return [
      ...(rows.length > 0 ? rows : [ok('Rows', 'each belongs to a row that exists')]),
      ...(await checkRecords(store, box)),
      ...(await checkKeys(store)),
      ...(await checkLogs(store, box, config, Date.now())),
    ];
  } catch (error) {
    if (!(error instanceof SecretKeyMismatch)) throw error;
    return [...rows, failed('Secret key', error.message, 'Restore secret.key, or set SECRET_KEY as before.')];
  }
}

const MEDIUM = /^[0-9a-f]{8,64}$/;

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

/** What the database calls ready exists, and the files of each medium are whole. @param note called with the progress */
async function checkShelf(dataDir: string, store: Sql, note: (text: string) => void): Promise<Finding[]> {
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
        warning(
          'Media',
          `${name}: ${result.fault}`,
          `Delete ${folder}; Midroll prepares the media again when a break needs them.`,
        ),
      );
  }
  const missing: string[] = [];
  for (const { id, mediaId } of await readyMedia(store))
    if (!present.has(mediaId) && !present.has(await namedBy(roots, id))) missing.push(id);
  if (missing.length > 0)
    findings.push(
      warning(
        'Media',
        `${missing.length} creatives are ready in the database and not in ${roots[0]}: ${missing.slice(0, 3).join(', ')}`,
        'They are made again when a break needs them. Check that DATA_DIR is that of the servers.',
      ),
    );
  return [...findings, ok('Media', `${present.size} media, ${mib(bytes)} MiB`)];
}

async function namedBy(roots: readonly string[], name: string): Promise<string> {
  for (const root of roots) {
    const text = await readFile(join(root, name + NAME_SUFFIX), 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return '';
}

const SPOOLS = ['deliveries', 'reports', 'decisions'];
const OLD_MS = 24 * 3_600_000;
const LEFT = /^(\.upgrade-trial-|\.restore-|\.ready-)/;

/** Files in DATA_DIR that the database rejected, and drafts that processes have left. */
async function checkSpools(dataDir: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  let waiting = 0;
  for (const spool of SPOOLS) {
    const names = await readdir(join(dataDir, spool)).catch((): string[] => []);
    waiting += names.filter((name) => name.endsWith('.json')).length;
    const aside = names.filter((name) => name.endsWith('.aside')).length;
    if (aside > 0)
      findings.push(
        warning(
          'Spools',
          `${aside} files in ${join(dataDir, spool)} were rejected by the database`,
          'The log has the reason. Keep them until the cause is known; see MidrollDeliveriesSetAside in docs/monitoring.md.',
        ),
      );
  }
  for (const name of (await readdir(dataDir).catch((): string[] => [])).filter((one) => LEFT.test(one))) {
    const { mtimeMs = Date.now() } = (await stat(join(dataDir, name)).catch(() => undefined)) ?? {};
    if (Date.now() - mtimeMs > OLD_MS)
      findings.push(warning('Spools', `${join(dataDir, name)} was left by a process that ended`, 'Delete it.'));
  }
  return findings.length > 0 ? findings : [ok('Spools', `nothing was rejected; ${waiting} files wait to be stored`)];
}
