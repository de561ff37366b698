// SPDX-License-Identifier: Apache-2.0
// `midroll check`: the consistency of the database, the shelf of media and the spools. It changes nothing, and servers can run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inspectStore } from '../../adapters/sql/inspectStore.ts';
import { findLooseRows } from '../../adapters/sql/maintenance/looseRows.ts';
import { KEY_FILE, openSecretBox, SecretKeyMismatch } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { Config } from '../../config.ts';
import { schema as current, openSql } from '../../database.ts';
import { describeError } from '../../errors.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';
import { checkKeys } from './checkKeys.ts';
import { checkLogs } from './checkLogs.ts';
import { checkRecords } from './checkRecords.ts';
import { checkShelf } from './checkShelf.ts';
import { checkSpools } from './checkSpools.ts';

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
