// SPDX-License-Identifier: Apache-2.0
// `midroll status`: the installation on one page, for a person at a terminal and for scripts. Each part is bounded in time, and
// what cannot be read is a line with the reason.
import { resolve } from 'node:path';
import type { Sql } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { Config } from '../../config.ts';
import { openSql } from '../../database.ts';
import { describeError } from '../../errors.ts';
import { within } from '../../time/clock.ts';
import { isoText, type Millis } from '../../time/units.ts';
import { version } from '../../version.ts';
import { CommandError, columns } from '../command.ts';
import { checkDisk } from '../doctor/checkMachine.ts';
import { checkMail } from '../doctor/checkMail.ts';
import { checkDatabase, checkMediaStore, checkSessionStore, type DatabaseCheck } from '../doctor/checkStores.ts';
import { listFindings } from '../doctor/doctor.ts';
import { type Finding, failed } from '../doctor/finding.ts';
import { describeServer, type LocalServer, readServer } from './checkServer.ts';
import { describeFacts, listProblems } from './describeFacts.ts';
import { readFacts } from './readFacts.ts';
import type { StatusFacts } from './statusFacts.ts';

const STORE_LIMIT_MS = 5000;
const FACTS_LIMIT_MS = 12_000;
const CONNECTIONS = 2;
const DATABASE = 'Database';

const healths = { ok: 'healthy', warning: 'problems', error: 'down' } as const;
/** The exit code of the command. */
export const exitCodes = { healthy: 0, problems: 1, down: 2 } as const;

export type Status = {
  readonly health: keyof typeof exitCodes;
  readonly version: string;
  /** ISO 8601. */
  readonly at: string;
  readonly findings: readonly Finding[];
  /** Absent if the database could not be read. */
  readonly facts?: StatusFacts;
};

function healthOf(findings: readonly Finding[]): Status['health'] {
  const worst = (['error', 'warning'] as const).find((state) => findings.some((finding) => finding.state === state));
  return healths[worst ?? 'ok'];
}

/** The result of a check, or that it took too long or failed. */
async function bounded<Found>(subject: string, work: Promise<Found>): Promise<Found | Finding> {
  const seconds = STORE_LIMIT_MS / 1000;
  try {
    const found = await within(
      systemTimers,
      STORE_LIMIT_MS,
      work.then((value) => ({ value })),
    );
    return found === undefined
      ? failed(subject, `did not respond within ${seconds} seconds`, 'Check that it runs.')
      : found.value;
  } catch (error) {
    return failed(subject, describeError(error), 'Check its settings.');
  }
}

type Facts =
  | { readonly kind: 'read'; readonly facts: StatusFacts }
  | { readonly kind: 'unread'; readonly finding?: Finding };

/** Opens a database only if this version can use it as it is: opening applies migrations. */
async function readDatabase(
  config: Config,
  { state }: Pick<DatabaseCheck, 'state'>,
  tenant: string | undefined,
  now: Millis,
): Promise<Facts> {
  if (state?.schema !== 'current' && state?.schema !== 'supported') return { kind: 'unread' };
  const limits = { DATABASE_CONNECT_TIMEOUT_MS: STORE_LIMIT_MS, DATABASE_STATEMENT_TIMEOUT_MS: STORE_LIMIT_MS };
  let store: Sql | undefined;
  const read = async (): Promise<Facts> => {
    store = await openSql({ ...config, ...limits }, undefined, CONNECTIONS);
    return { kind: 'read', facts: await readFacts(config, store, tenant, now) };
  };
  try {
    const facts = await within(systemTimers, FACTS_LIMIT_MS, read());
    if (facts !== undefined) return facts;
    return {
      kind: 'unread',
      finding: failed(DATABASE, `not read within ${FACTS_LIMIT_MS / 1000} seconds`, 'It is overloaded or unreachable.'),
    };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return {
      kind: 'unread',
      finding: failed(DATABASE, `not readable: ${describeError(error)}`, 'Check the database.'),
    };
  } finally {
    if (store !== undefined) await within(systemTimers, 1000, store.close());
  }
}

/** A database that is found by no server is not that of the installation, or there is none yet. */
function absentDatabase({ text, advice }: Finding, { DATA_DIR, DATABASE_URL }: Config, local: LocalServer): Finding {
  if (advice !== undefined) return failed(DATABASE, text, advice);
  if (local.kind === 'none') return failed(DATABASE, text, 'Start the server, or run this with its settings.');
  return failed(
    DATABASE,
    `${DATABASE_URL === undefined ? `none in ${resolve(DATA_DIR)}` : 'that of DATABASE_URL is empty'}; the server of this machine uses another one`,
    'Run this with its settings: "midroll status --env-file FILE", or its DATA_DIR or DATABASE_URL.',
  );
}

/** @param tenant the only one; all if absent */
export async function readStatus(config: Config, tenant: string | undefined, now: Millis): Promise<Status> {
  const checks = Promise.all([
    bounded('Disk', checkDisk(config)),
    bounded('Media store', checkMediaStore(config, 'read')),
    bounded('Session store', checkSessionStore(config)),
    bounded('Mail server', checkMail(config)),
  ]);
  const server = readServer(config);
  const database = await bounded<DatabaseCheck>(DATABASE, checkDatabase(config));
  const check: DatabaseCheck = 'subject' in database ? { finding: database } : database;
  const read = await readDatabase(config, check, tenant, now);
  const [disk, mediaStore, sessionStore, mail] = await checks;
  const local = await server;
  const facts = read.kind === 'read' ? read.facts : undefined;
  const isAbsent = check.state?.schema === 'absent' || check.state?.schema === 'empty';
  const findings = [
    describeServer(local, config.ADMIN_PORT, facts?.processes),
    isAbsent ? absentDatabase(check.finding, config, local) : check.finding,
    read.kind === 'unread' ? read.finding : undefined,
    sessionStore,
    mediaStore,
    mail,
    local.kind === 'ready' && disk.state === 'error' ? { ...disk, state: 'warning' as const } : disk,
    ...(facts === undefined ? [] : describeFacts(facts, now)),
  ].filter((finding) => finding !== undefined);
  return { health: healthOf(findings), version, at: isoText(now), findings, ...(facts && { facts }) };
}

const headlines = { healthy: 'healthy', problems: 'has problems', down: 'something is down' } as const;

export function writeStatus({ health, at, findings, facts }: Status): string {
  const problems = facts === undefined ? [] : listProblems(facts.channels);
  return [
    `Midroll ${version}, ${at.slice(0, 19)}Z: ${headlines[health]}`,
    '',
    listFindings(findings),
    ...(problems.length === 0
      ? []
      : ['', 'Channels with problems:', columns(problems.map(([id, text]) => [`  ${id}`, text]))]),
  ].join('\n');
}
