// SPDX-License-Identifier: Apache-2.0
// Reports the steps that a newer version applies to the database, tries them or applies them.

import { inspectStore } from '../../adapters/sql/inspectStore.ts';
import { upgradeStore } from '../../adapters/sql/maintenance/upgradeStore.ts';
import type { Schema } from '../../adapters/sql/schema/schema.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { UNRELEASED, UNRELEASED_ADVICE } from '../../adapters/sql/sqlMigrate.ts';
import { schema as current } from '../../database.ts';
import { CommandError, columns } from '../command.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** @param isTrial leaves the database as it is @returns `table`: the steps, if there are any */
export async function upgrade(
  source: SqlSource,
  isTrial: boolean,
  target: Schema = current,
): Promise<{ readonly table?: string; readonly note: string }> {
  const { schema } = await inspectStore(target, source);
  if (schema === 'absent' || schema === 'empty')
    throw new CommandError('The database has no tables of Midroll yet; the first start creates them.');
  if (schema === 'unreleased') throw new CommandError(`The database ${UNRELEASED}. ${UNRELEASED_ADVICE}`);
  if (schema === 'current') return { note: 'The database has the schema of this version. Nothing to do.' };
  if (schema === 'supported')
    return { note: 'The database has the schema of a newer version, which this version can use. Nothing to do.' };
  const done = await upgradeStore(target, source, isTrial);
  const rows = done.steps.map(({ number, name, ms }) => [String(number), name, seconds(ms)]);
  const total = seconds(done.steps.reduce((sum, { ms }) => sum + ms, 0));
  const count = `${done.steps.length} ${done.steps.length === 1 ? 'step' : 'steps'}`;
  const older = `Versions of Midroll that know at least ${done.supports} steps can use the database ${isTrial ? 'afterwards' : 'now'}.`;
  return {
    table: columns([['STEP', 'NAME', 'TIME'], ...rows]),
    note: isTrial
      ? `${count} would be applied; this trial took ${total} and changed nothing. ${older}`
      : `Applied ${count} in ${total}. ${older}`,
  };
}
