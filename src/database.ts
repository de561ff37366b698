// SPDX-License-Identifier: Apache-2.0
// The database with the tables of all their owners: the streaming core (adapters/sql) and the features of the platform.

import type { SqlObserver } from './adapters/sql/measure/observeSql.ts';
import type { PoolLimits } from './adapters/sql/postgresPool.ts';
import { addAdSources, addLabels, createChannelTables } from './adapters/sql/schema/channelTables.ts';
import { addCreativeFailures, createCreativeTables } from './adapters/sql/schema/creativeTables.ts';
import { createLiveTables } from './adapters/sql/schema/liveTables.ts';
import { createNoticeTables } from './adapters/sql/schema/noticeTables.ts';
import { createScheduleTables } from './adapters/sql/schema/scheduleTables.ts';
import type { Migration, Schema } from './adapters/sql/schema/schema.ts';
import { addSourceRates, createSessionTables, createShownAds } from './adapters/sql/schema/sessionTables.ts';
import { createTrackingTables } from './adapters/sql/schema/trackingTables.ts';
import { expectDatabase } from './adapters/sql/secrets/lostDatabase.ts';
import { openPostgresStore, openSqliteStore, openSqlStore, type Sql, type SqlSource } from './adapters/sql/sql.ts';
import { addKeyLabels, createAccessTables } from './platform/access/store/accessTables.ts';
import { createAdSourceTables } from './platform/adSources/store/adSourceTables.ts';
import { addSilencesAndGroups, createAlertTables } from './platform/alerts/store/alertTables.ts';
import { createAsRunTables } from './platform/asRun/store/asRunTables.ts';
import { createAuditTables } from './platform/audit/store/auditTables.ts';
import { createDeletedTables } from './platform/deleted/store/deletedTables.ts';
import { createDistributorTables } from './platform/distributors/store/distributorTables.ts';
import { addGuidedSessions, createHistoryTables } from './platform/history/store/historyTables.ts';
import { createProblemTables } from './platform/problems/store/problemTables.ts';
import { createReportTables } from './platform/reports/store/sql/reportTables.ts';
import { createSystemTables } from './platform/systems/store/systemTables.ts';
import type { Timers } from './time/clock.ts';

const owners: readonly Migration[] = [
  // First: others publish their changes there.
  createNoticeTables,
  createChannelTables,
  createCreativeTables,
  createSessionTables,
  createTrackingTables,
  createLiveTables,
  createAccessTables,
  createSystemTables,
  createReportTables,
  createAuditTables,
  createDeletedTables,
  createAlertTables,
  createHistoryTables,
];

const m001Tables: Migration = async (db, kind) => {
  for (const create of owners) await create(db, kind);
};

const m002Labels: Migration = async (db, kind) => {
  await addLabels(db, kind);
  await addKeyLabels(db, kind);
};

const m011AdSources: Migration = async (db, kind) => {
  await addAdSources(db, kind);
  await createAdSourceTables(db, kind);
};

/**
 * A released migration is never edited: append a new one. It only adds to the schema, unless `contracts` lists it by its number
 * (docs/decisions/032-rolling-upgrades.md).
 */
export const schema: Schema = {
  migrations: [
    m001Tables,
    m002Labels,
    addCreativeFailures,
    createProblemTables,
    addSilencesAndGroups,
    addGuidedSessions,
    createScheduleTables,
    createAsRunTables,
    createDistributorTables,
    createShownAds,
    m011AdSources,
    addSourceRates,
  ],
  contracts: {},
};

/**
 * Opens the database and applies pending migrations. Refuses a DATA_DIR that has been in use and has lost its database.
 * @param timers of the system: writes of SQLite that may wait are gathered; absent, none waits
 * @param max connections to PostgreSQL
 * @param observe measures statements and transactions
 */
export async function openSql(source: SqlSource, timers?: Timers, max?: number, observe?: SqlObserver): Promise<Sql> {
  await expectDatabase(schema, source);
  return openSqlStore(schema, source, { timers, max, observe });
}

/** @param folder the folder of the database file, or `:memory:` */
export const openSqlite = (folder: string) => openSqliteStore(schema, folder);

export const openPostgres = (url: string, limits?: PoolLimits) => openPostgresStore(schema, url, limits);
