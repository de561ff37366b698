// SPDX-License-Identifier: Apache-2.0
// What servers write by themselves, or for users and keys: alerts, deliveries, the audit log, the history, deleted records,
// sessions of users, idempotency keys. Whether the newest rows of each can be read, and whether old ones are deleted.
import { unpack } from '../../adapters/packJson.ts';
import { findOldRows, newestRows, type StoredRow } from '../../adapters/sql/maintenance/storedRows.ts';
import type { SecretBox } from '../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { Config } from '../../config.ts';
import { IDEMPOTENCY_KEPT_MS } from '../../platform/access/rules/idempotency.ts';
import { EVENTS_KEPT_MS } from '../../platform/alerts/rules/event.ts';
import { DELIVERIES_KEPT_MS } from '../../platform/alerts/webhooks/delivery.ts';
import { openSystem } from '../../platform/systems/store/sqlSystems.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';

const DAY_MS = 24 * 3_600_000;
/** Tasks delete in batches, and servers may have been stopped for a night. */
const LATE_MS = 2 * DAY_MS;
/** Rows of each table that are read. */
const MAX_READ = 10_000;

type Readable = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly order: string;
  /** @throws or rejects if the row cannot be read */
  read(row: StoredRow, box: SecretBox): unknown;
};

const json = (...columns: string[]) => ({
  columns,
  read: (row: StoredRow) => columns.map((column) => JSON.parse(row[column] as string)),
});
const opened = (text: unknown, owner: string, box: SecretBox) => text === null || box.open(text as string, owner);

const readables: readonly Readable[] = [
  { table: 'alerts', order: 'tenant', ...json('body') },
  { table: 'alert_silences', order: 'seq', ...json('body') },
  { table: 'alert_events', order: 'seq', ...json('body') },
  { table: 'webhook_deliveries', order: 'seq', ...json('body', 'log') },
  { table: 'audit_log', order: 'seq', ...json('body') },
  { table: 'past_breaks', order: 'kept_from', columns: ['body'], read: ({ body }) => unpack(body as Uint8Array) },
  {
    table: 'past_sessions',
    order: 'kept_from',
    columns: ['parameters'],
    read: ({ parameters }) => decodeURIComponent(parameters as string),
  },
  {
    table: 'deleted_records',
    order: 'seq',
    columns: ['kind', 'body'],
    read: ({ kind, body }, box) => (kind === 'system' ? openSystem(box, body as string) : JSON.parse(body as string)),
  },
  {
    table: 'console_sessions',
    order: 'expires_at',
    columns: ['id', 'tokens'],
    read: ({ id, tokens }, box) => opened(tokens, `console-sessions/${id}`, box),
  },
  {
    table: 'idempotency_keys',
    order: 'started_at',
    columns: ['tenant', 'key_hash', 'request', 'response'],
    read: ({ tenant, key_hash, request, response }, box) =>
      [request, response].map((text) => opened(text, `idempotency/${tenant}/${key_hash}`, box)),
  },
];

export async function checkLogs(
  store: Sql,
  box: SecretBox,
  config: Pick<Config, 'AUDIT_RETENTION' | 'TRACE_RETENTION'>,
  now: number,
): Promise<Finding[]> {
  const findings = [...(await unreadable(store, box)), ...(await tooOld(store, config, now))];
  return findings.length > 0 ? findings : [ok('Logs', 'the newest rows can be read, and old ones are deleted')];
}

async function unreadable(store: Sql, box: SecretBox): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, columns, order, read } of readables) {
    let count = 0;
    for await (const row of newestRows(store, { table, columns, order, most: MAX_READ }))
      try {
        await read(row, box);
      } catch {
        count += 1;
      }
    if (count > 0)
      findings.push(
        failed('Logs', `${count} of the newest rows of ${table} cannot be read`, 'Restore a backup, or delete them.'),
      );
  }
  return findings;
}

async function tooOld(
  store: Sql,
  { AUDIT_RETENTION, TRACE_RETENTION }: Pick<Config, 'AUDIT_RETENTION' | 'TRACE_RETENTION'>,
  now: number,
): Promise<Finding[]> {
  const kept = [
    { table: 'audit_log', column: 'at', ms: AUDIT_RETENTION * DAY_MS },
    ...['past_sessions', 'past_breaks'].map((table) => ({ table, column: 'kept_from', ms: TRACE_RETENTION * DAY_MS })),
    { table: 'alert_events', column: 'at', ms: EVENTS_KEPT_MS },
    { table: 'webhook_deliveries', column: 'created_at', ms: DELIVERIES_KEPT_MS },
    { table: 'idempotency_keys', column: 'started_at', ms: IDEMPOTENCY_KEPT_MS },
    { table: 'console_sessions', column: 'expires_at', ms: 0 },
    { table: 'deleted_records', column: 'until_at', ms: 0 },
  ];
  const limits = kept.map(({ table, column, ms }) => ({ table, column, before: now - ms - LATE_MS }));
  return (await findOldRows(store, limits)).map(({ table, count }) =>
    warning(
      'Logs',
      `${count} rows of ${table} are kept longer than intended`,
      'Running servers delete them within minutes. If they remain, the log has the reason.',
    ),
  );
}
