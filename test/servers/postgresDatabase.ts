// SPDX-License-Identifier: Apache-2.0
// Creates a database for a suite, on the PostgreSQL server that all suites share.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';

export type PostgresDatabase = { readonly url: string; drop(): Promise<void> };

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export async function createDatabase(): Promise<PostgresDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}
