// SPDX-License-Identifier: Apache-2.0
// Entries of the audit log for changes by the command line. Their actor is the account in the operating system.
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { AuditEntry, AuditedChange } from '../platform/audit/rules/auditEntry.ts';
import { composeEntry } from '../platform/audit/rules/composeEntry.ts';
import type { Millis } from '../time/units.ts';

/** An account without an entry in the password file, as containers have, is named by its number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

export const commandEntries =
  (operation: string, at: Millis) =>
  (tenant: string, change: AuditedChange): AuditEntry =>
    composeEntry(
      {
        ...{ id: randomUUID(), tenant, at, operation, source: {} },
        actor: { kind: 'cli', id: accountName(), name: `${accountName()}@${hostname()}` },
      },
      change,
    );
