// SPDX-License-Identifier: Apache-2.0
import { AppError } from '../../errors.ts';

/**
 * Loads SQLite when it is needed. It has native code and is an optional dependency, so an installation with PostgreSQL works
 * where SQLite could not be compiled.
 * @throws {AppError} UNAVAILABLE if it is missing, or was compiled for another version of Node
 */
export async function loadSqlite() {
  try {
    const { default: Driver } = await import('better-sqlite3');
    // The native code is loaded by the first database.
    new Driver(':memory:').close();
    return { Driver, ...(await import('./sqliteFile.ts')) };
  } catch (cause) {
    const advice =
      'Run "npm install-scripts approve better-sqlite3" and "npm rebuild", with python3, make and g++ where no binary is prebuilt, or set DATABASE_URL to a PostgreSQL database.';
    throw new AppError('UNAVAILABLE', `SQLite does not work with this installation of Node. ${advice}`, { cause });
  }
}
