// SPDX-License-Identifier: Apache-2.0
// The schema migrations in order; the first has number 1. A released migration is never edited: append a new one. It only adds
// to the schema, unless `contracts` lists it (docs/decisions/032-rolling-upgrades.md).
import { m001Records } from './migrations/m001Records.ts';
import { m002OnAir } from './migrations/m002OnAir.ts';
import { m003Cloud } from './migrations/m003Cloud.ts';
import { m004Tracking } from './migrations/m004Tracking.ts';
import { m005Reports } from './migrations/m005Reports.ts';
import { m006Confirmations } from './migrations/m006Confirmations.ts';
import { m007Creatives } from './migrations/m007Creatives.ts';
import { m008SessionTenants } from './migrations/m008SessionTenants.ts';
import { m009Tracking } from './migrations/m009Tracking.ts';
import { m010Claims } from './migrations/m010Claims.ts';
import { m011Bounds } from './migrations/m011Bounds.ts';
import { m012TenantsAndNodes } from './migrations/m012TenantsAndNodes.ts';
import { m013CreativeFaults } from './migrations/m013CreativeFaults.ts';
import { m014OffAir } from './migrations/m014OffAir.ts';
import { m015Presentations } from './migrations/m015Presentations.ts';
import { m016Live } from './migrations/m016Live.ts';
import { m017BreakOrders } from './migrations/m017BreakOrders.ts';
import { m018OriginEvents } from './migrations/m018OriginEvents.ts';
import { m019Notices } from './migrations/m019Notices.ts';
import { m020History } from './migrations/m020History.ts';
import { m021AuditLog } from './migrations/m021AuditLog.ts';
import { m022DeletedRecords } from './migrations/m022DeletedRecords.ts';
import { m023Access } from './migrations/m023Access.ts';
import { m024Alerts } from './migrations/m024Alerts.ts';
import { m025Lists } from './migrations/m025Lists.ts';
import { m026DecidedAt } from './migrations/m026DecidedAt.ts';
import type { Migration } from './migrations/migration.ts';
import type { Contracts } from './migrations/schemaSupport.ts';

export const migrations: readonly Migration[] = [
  m001Records,
  m002OnAir,
  m003Cloud,
  m004Tracking,
  m005Reports,
  m006Confirmations,
  m007Creatives,
  m008SessionTenants,
  m009Tracking,
  m010Claims,
  m011Bounds,
  m012TenantsAndNodes,
  m013CreativeFaults,
  m014OffAir,
  m015Presentations,
  m016Live,
  m017BreakOrders,
  m018OriginEvents,
  m019Notices,
  m020History,
  m021AuditLog,
  m022DeletedRecords,
  m023Access,
  m024Alerts,
  m025Lists,
  m026DecidedAt,
];

/** Migrations that remove or change what the version before uses, by number. Nodes of the versions named must have ended. */
export const contracts: Contracts = {};
