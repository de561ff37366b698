// SPDX-License-Identifier: Apache-2.0
// A DATA_DIR whose database is gone: a start would create an empty one, and what is left would belong to nothing. The first
// start creates the tables before the key, so a start that was interrupted leaves no key without tables.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inspectStore, type StoreState } from '../inspectStore.ts';
import type { Schema } from '../schema/schema.ts';
import { DATABASE_FILE, type SqlSource } from '../sql.ts';
import { createFaultMemory } from '../storageFault.ts';
import { KEY_FILE } from './secretKey.ts';

/** The database of a DATA_DIR that has been in use is missing or has no tables. */
class LostDatabase extends Error {
  readonly code = 'LOST_DATABASE';
}

const FOLDERS = ['media', 'deliveries', 'reports', 'decisions'];

const hasFiles = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** What earlier runs have left in DATA_DIR: the key, with media or spools. Empty if it has not been in use. */
function leftIn(folder: string): string[] {
  if (!existsSync(join(folder, KEY_FILE))) return [];
  const used = FOLDERS.filter((name) => hasFiles(join(folder, name)));
  return used.length === 0 ? [] : [KEY_FILE, ...used];
}

type Loss = { readonly text: string; readonly advice: string };

/** What is wrong, and the two ways out. @returns undefined if the database is there, or DATA_DIR has not been in use */
export function lossOf(
  { DATA_DIR, DATABASE_URL }: SqlSource,
  { schema }: Pick<StoreState, 'schema'>,
): Loss | undefined {
  const folder = resolve(DATA_DIR);
  const left = schema === 'absent' || schema === 'empty' ? leftIn(folder) : [];
  if (left.length === 0) return undefined;
  const hasFile = existsSync(join(folder, DATABASE_FILE));
  const [missing, other] =
    DATABASE_URL === undefined
      ? [`${DATABASE_FILE} is ${hasFile ? 'empty' : 'missing'}`, 'If its database is in PostgreSQL, set DATABASE_URL.']
      : [
          'the database of DATABASE_URL is empty',
          hasFile
            ? `To use ${DATABASE_FILE} in DATA_DIR, unset DATABASE_URL.`
            : 'If that is the wrong database, correct DATABASE_URL.',
        ];
  return {
    text: `${folder} contains ${left.join(', ')} of an installation, but ${missing}`,
    advice: `${other} To continue, restore a backup (docs/backup.md). To start with an empty installation, move the content of DATA_DIR away.`,
  };
}

/** @throws {AppError} UNAVAILABLE if PostgreSQL does not respond. A file that cannot be read is for `openSql` to report */
async function stateOf(schema: Schema, source: SqlSource): Promise<StoreState | undefined> {
  try {
    return await inspectStore(schema, source);
  } catch (error) {
    if (source.DATABASE_URL === undefined) return undefined;
    throw createFaultMemory().translate(error);
  }
}

/**
 * Call before the database is opened, because that creates it. DATA_DIR is read first: another process may create the tables,
 * and then the key, meanwhile.
 * @throws {LostDatabase}; {AppError} UNAVAILABLE if PostgreSQL does not respond
 */
export async function expectDatabase(schema: Schema, source: SqlSource): Promise<void> {
  if (leftIn(source.DATA_DIR).length === 0) return;
  const state = await stateOf(schema, source);
  const loss = state === undefined ? undefined : lossOf(source, state);
  if (loss !== undefined) throw new LostDatabase(`${loss.text}. ${loss.advice}`);
}
