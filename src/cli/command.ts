// SPDX-License-Identifier: Apache-2.0

import { type Config, readConfig } from '../config.ts';
import type { ApiKeyStore, TenantStore } from '../platform/access/rules/ports.ts';
import type { AuditEntry, AuditedChange } from '../platform/audit/rules/auditEntry.ts';
import type { UnknownSetting } from '../settings/unknownSettings.ts';

/** An error that the user can fix; its message is shown as it is. */
export class CommandError extends Error {}

export const EXIT = { success: 0, failure: 1, usage: 2 } as const;

export type Option = {
  readonly name: string;
  readonly description: string;
  readonly isRequired?: true;
  /** The option has no value; its text is empty if it is given. */
  readonly isFlag?: true;
};

export type Output = {
  result(text: string): void;
  note(text: string): void;
  /** Ends the process soon, whatever is still connected. Absent where the process is not that of the command. */
  end?(code: number): void;
};
export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user typed after the name of the command. */
export type Arguments = {
  readonly options: Readonly<Record<string, string>>;
  readonly operand: string;
  /** Whether --yes was given. */
  readonly isConfirmed: boolean;
};

type Described = {
  readonly name: string;
  readonly summary: string;
  /** Name of the positional argument. */
  readonly operand?: string;
  readonly options: readonly Option[];
  /** The command deletes data, so it requires --yes. */
  readonly requiresYes?: true;
  readonly example: string;
  /** Shown at the end of its help. */
  readonly details: string;
};

type CommandInput = Arguments & {
  readonly tenants: TenantStore;
  readonly keys: ApiKeyStore;
  /** ISO 8601. */
  readonly now: string;
  /** The entry of the audit log for a change that the command makes. */
  entry(tenant: string, change: AuditedChange): AuditEntry;
};

/** A command that works on the database of the servers. */
export type StoreCommand = Omit<Described, 'details'> & {
  run(input: CommandInput): Promise<{ readonly result?: string; readonly note?: string }>;
};

type ProgramInput = Arguments & {
  /** Including the variables of --env-file. */
  readonly env: Environment;
  readonly unknown: readonly UnknownSetting[];
  readonly output: Output;
};

/** A command that needs more, or less, than the database. */
export type ProgramCommand = Described & {
  /** The command reports unknown settings itself; others print them as notes. */
  readonly reportsUnknown?: true;
  /** @returns the exit code, by default success; the process runs on while it listens on a port */
  start(input: ProgramInput): Promise<number | undefined> | Promise<void>;
};

export type Command = StoreCommand | ProgramCommand;

/** @throws {CommandError} that names each invalid setting */
export function settingsOf(env: Environment): Config {
  const read = readConfig(env);
  if (read.ok) return read.config;
  throw new CommandError(read.problems.join('\n'));
}

/** Rows as text with aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}
