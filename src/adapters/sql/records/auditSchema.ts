// SPDX-License-Identifier: Apache-2.0
// The tables of the audit log and of idempotency keys.
import type { Generated } from 'kysely';

/** `at`: milliseconds. */
export type AuditTable = {
  seq: Generated<number>;
  id: string;
  tenant: string;
  at: number;
  actor_id: string;
  actor_email: string | null;
  operation: string;
  kind: string;
  /** Empty for changes without a record. */
  record_id: string;
  search: string;
  body: string;
};

/** `started_at`: milliseconds. */
export type IdempotencyKeyTable = {
  tenant: string;
  key_hash: string;
  started_at: number;
  request_id: string;
  state: string;
  size: number;
  request: string;
  response: string | null;
};
