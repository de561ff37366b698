// SPDX-License-Identifier: Apache-2.0
// Finds the key of the secret box: SECRET_KEY, or a file in DATA_DIR that is created at the first start. The database
// contains a value encrypted with the key, so a wrong key makes the start fail, not a later request.
import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '../sql.ts';
import { createSecretBox, type SecretBox } from './secretBox.ts';

/** The key file in DATA_DIR. */
export const KEY_FILE = 'secret.key';

/** Creates the key file atomically, or reads the one that another process has created. */
function keyFile(folder: string): string {
  const path = join(folder, KEY_FILE);
  const read = () => readFileSync(path, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(folder, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}

const FACT = 'secret';
const OWNER = 'facts';

/** The settings in the database were encrypted with a different key. */
export class SecretKeyMismatch extends Error {
  readonly code = 'OTHER_KEY';
}

type SecretSource = { readonly SECRET_KEY?: string; readonly DATA_DIR: string };

/** @throws {SecretKeyMismatch} */
export async function openSecretBox(source: SecretSource, store: Sql): Promise<SecretBox> {
  const box = createSecretBox(source.SECRET_KEY ?? keyFile(source.DATA_DIR));
  await store.db
    .insertInto('facts')
    .values({ name: FACT, value: box.seal('midroll', OWNER) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const fact = await store.db.selectFrom('facts').select('value').where('name', '=', FACT).executeTakeFirstOrThrow();
  try {
    box.open(fact.value, OWNER);
  } catch (error) {
    const given = source.SECRET_KEY === undefined ? `The key file ${join(source.DATA_DIR, KEY_FILE)}` : 'SECRET_KEY';
    throw new SecretKeyMismatch(
      `${given} must contain the key with which the settings in the database were encrypted; got a different key.`,
      { cause: error },
    );
  }
  return box;
}
