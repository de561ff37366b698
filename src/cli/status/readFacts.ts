// SPDX-License-Identifier: Apache-2.0
// Reads the state of channels, ads and creatives from the database of the servers. Writes nothing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { sqlChannelStatuses } from '../../adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { sqlCreatives } from '../../adapters/sql/creatives/sqlCreatives.ts';
import { KEY_FILE, openSecretBox } from '../../adapters/sql/secrets/secretKey.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import { channelKey } from '../../channels/channelKey.ts';
import { type Config, egressAllow } from '../../config.ts';
import { describeError } from '../../errors.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { Tenant } from '../../platform/access/rules/tenant.ts';
import { overviewTimes } from '../../platform/overview/rules/overviewTimes.ts';
import { readOverview } from '../../platform/overview/rules/readOverview.ts';
import { problemsOf } from '../../platform/problems/rules/channelProblems.ts';
import { FORGOTTEN_MS } from '../../platform/problems/rules/serverHealth.ts';
import { stateProblem } from '../../platform/problems/rules/stateProblem.ts';
import { sqlFailingServers } from '../../platform/problems/store/sqlFailingServers.ts';
import { createReportStores } from '../../platform/reports/store/search/reportStores.ts';
import { reportRetention, sqlReports } from '../../platform/reports/store/sql/sqlReports.ts';
import { sqlSystems } from '../../platform/systems/store/sqlSystems.ts';
import { type Millis, millis } from '../../time/units.ts';
import { CommandError } from '../command.ts';
import type { ChannelCounts, StatusFacts, TroubledChannel } from './statusFacts.ts';

const HOUR_MS = 3_600_000;
const REPORT_TIMEOUT_MS = 4000;

/** @param selected the name of the only tenant; all if absent */
async function selectTenants(store: Sql, selected: string | undefined): Promise<Tenant[]> {
  const rows = await store.db.selectFrom('tenants').selectAll().orderBy('name').execute();
  const all = rows.map((row): Tenant => ({ name: row.name, createdAt: row.created_at, createdBy: row.created_by }));
  if (selected === undefined) return all;
  const found = all.filter(({ name }) => name === selected);
  if (found.length > 0) return found;
  throw new CommandError(`Tenant "${selected.slice(0, 100)}" not found. "midroll tenants list" lists them.`);
}

async function readChannels(store: Sql, tenants: readonly Tenant[], now: Millis): Promise<ChannelCounts> {
  const channels = sqlChannels(store);
  const jobs = sqlCreatives(store);
  const names = new Set(tenants.map(({ name }) => name));
  const enabled = (await channels.enabled()).filter(({ tenant }) => names.has(tenant));
  const statuses = new Map(
    (await sqlChannelStatuses(store).withoutItems()).map(({ channel, status }) => [channelKey(channel), status]),
  );
  const servers = await sqlFailingServers(store).list(millis(now - FORGOTTEN_MS));
  let total = 0;
  const failures = new Map<string, Awaited<ReturnType<typeof jobs.failures>>[number]>();
  for (const { name: tenant } of tenants) {
    total += (await channels.list(tenant, { offset: 0, limit: 1 })).total;
    for (const failure of await jobs.failures(tenant, millis(now - HOUR_MS)))
      failures.set(channelKey({ tenant, id: failure.channelId }), failure);
  }
  const counts = { onAir: 0, preparing: 0, failed: 0 };
  const troubled: TroubledChannel[] = [];
  for (const channel of enabled) {
    const { tenant, id, name } = channel;
    const status = statuses.get(channelKey(channel));
    const isPreparing = status === undefined || status.preparation !== undefined;
    counts[status?.state === 'failed' ? 'failed' : isPreparing ? 'preparing' : 'onAir'] += 1;
    const problems = problemsOf(channel, {
      servers: servers.filter((server) => server.tenant === tenant && server.channel === id),
      creatives: failures.get(channelKey(channel)),
      state: stateProblem(status, {}),
    });
    if (problems.length > 0) troubled.push({ tenant, id, problems, ...withoutUndefined({ name }) });
  }
  return { total, ...counts, off: Math.max(0, total - enabled.length), troubled };
}

/** Every serving process listens to notices of changes. */
async function readProcesses(store: Sql): Promise<StatusFacts['processes']> {
  const { rows } = await sql<{ host: string | null }>`
    select host(client_addr) as host from pg_stat_activity
    where datname = current_database() and application_name = 'midroll notices'`.execute(store.db);
  return { count: rows.length, hosts: [...new Set(rows.map(({ host }) => host ?? 'this machine'))].sort() };
}

async function readHour(
  config: Config,
  store: Sql,
  tenants: readonly Tenant[],
  now: Millis,
): Promise<StatusFacts['overview']> {
  if (config.SECRET_KEY === undefined && !existsSync(join(config.DATA_DIR, KEY_FILE)))
    return { kind: 'unread', reason: 'DATA_DIR has no secret.key, and SECRET_KEY is not set' };
  const guard = createEgressGuard({ allow: egressAllow(config) });
  try {
    const systems = sqlSystems(store, await openSecretBox(config, store));
    const retention = reportRetention(config);
    const options = { dispatcher: guard, warn: () => {}, timeoutMs: REPORT_TIMEOUT_MS };
    const times = overviewTimes('today', now, 'UTC');
    const hour = await readOverview(
      {
        reportStore: createReportStores(sqlReports(store, retention), options),
        channels: sqlChannels(store),
        now: () => now,
        timers: systemTimers,
      },
      {
        systems: (await Promise.all(tenants.map(({ name }) => systems.list(name)))).flat(),
        times: { ...times, range: times.hour, before: times.hourYesterday },
        since: millis(Math.min(now, ...tenants.map(({ createdAt }) => Date.parse(createdAt)))),
      },
    );
    return { kind: 'read', hour };
  } catch (error) {
    return { kind: 'unread', reason: describeError(error) };
  } finally {
    void guard.close();
  }
}

export async function readFacts(
  config: Config,
  store: Sql,
  tenant: string | undefined,
  now: Millis,
): Promise<StatusFacts> {
  const tenants = await selectTenants(store, tenant);
  return {
    channels: await readChannels(store, tenants, now),
    queue: await sqlCreatives(store).queue(now),
    processes: config.DATABASE_URL === undefined ? undefined : await readProcesses(store),
    overview: await readHour(config, store, tenants, now),
  };
}
