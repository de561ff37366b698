// SPDX-License-Identifier: Apache-2.0
// The tables of tenants, API keys, sessions in the console, request limits and idempotency keys.
import type { Generated } from 'kysely';
import { dialect, type Migration, runAll } from '../../../adapters/sql/schema/schema.ts';

export type TenantTable = { name: string; created_at: string; created_by: string };

export type ApiKeyTable = {
  seq: Generated<number>;
  id: string;
  tenant: string;
  email: string;
  name: string | null;
  hash: string;
  hint: string;
  created_by: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  scope: string | null;
  /** A JSON array of the only channels; null for all. */
  channels: string | null;
  /** A JSON array of labels, or null. With labels, `channels` is not null, so that versions without labels grant no more. */
  labels: string | null;
};

export type ConsoleSessionTable = {
  id: string;
  /** SHA-256 of the token in the cookie. */
  hash: string;
  tenant: string;
  subject: string;
  email: string;
  name: string | null;
  scope: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** When the provider last confirmed the role. */
  checked_at: number;
  /** Encrypted: the tokens of the provider. */
  tokens: string | null;
};

/** The number of requests of a tenant in the minute that began at `started_at`. */
type RequestWindowTable = { tenant: string; started_at: number; requests: number };

type IdempotencyKeyTable = {
  tenant: string;
  /** SHA-256 of the key. */
  key_hash: string;
  started_at: number;
  request_id: string;
  state: string;
  /** Characters of the response. */
  size: number;
  /** Encrypted, as `response`: a hash of the request. */
  request: string;
  response: string | null;
};

declare module '../../../adapters/sql/sqlSchema.ts' {
  interface PlatformTables {
    tenants: TenantTable;
    api_keys: ApiKeyTable;
    console_sessions: ConsoleSessionTable;
    request_windows: RequestWindowTable;
    idempotency_keys: IdempotencyKeyTable;
  }
}

export const createAccessTables: Migration = (db, kind) =>
  runAll(db, [
    'create table tenants (name text primary key, created_at text not null, created_by text not null)',
    `create table api_keys (
      ${dialect[kind].seq}, id text not null unique, tenant text not null, email text not null, name text,
      hash text not null unique, hint text not null, created_by text not null, created_at text not null, last_used_at text,
      expires_at text, scope text, channels text)`,
    'create index api_keys_of_tenant on api_keys (tenant, seq)',
    `create table console_sessions (
      id text primary key, hash text not null unique, tenant text not null, subject text not null, email text not null,
      name text, scope text not null, created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null,
      checked_at bigint not null, tokens text)`,
    'create index console_sessions_of_tenant on console_sessions (tenant, created_at)',
    'create index console_sessions_by_expiry on console_sessions (expires_at)',
    'create table request_windows (tenant text primary key, started_at bigint not null, requests integer not null)',
    `create table idempotency_keys (
      tenant text not null, key_hash text not null, started_at bigint not null, request_id text not null,
      state text not null, size bigint not null, request text not null, response text,
      constraint idempotency_keys_once primary key (tenant, key_hash))`,
    'create index idempotency_keys_by_time on idempotency_keys (started_at)',
  ]);

export const addKeyLabels: Migration = (db) => runAll(db, ['alter table api_keys add column labels text']);
