// SPDX-License-Identifier: Apache-2.0
// The routes of the administrative port over the stores of a test.

import type { FastifyInstance } from 'fastify';
import type { GatherChanges } from '../../src/channels/ports.ts';
import { coreRoutes } from '../../src/composition/corePart.ts';
import { type AdminServerDeps, createAdminServer } from '../../src/http/admin/adminServer.ts';
import { batchRoute } from '../../src/http/admin/batch/batchRoute.ts';
import type { Route } from '../../src/http/admin/request/route.ts';
import type { CoreApi, OnAir } from '../../src/http/admin/routes/ports.ts';
import { createGuides } from '../../src/planning/schedule/guides.ts';
import type { ScheduleDesk } from '../../src/planning/schedule/scheduleDesk.ts';
import { accessRoutes } from '../../src/platform/access/routes/accessRoutes.ts';
import { keyRoutes } from '../../src/platform/access/routes/keyRoutes.ts';
import { addSignInRoutes, createSessionReader } from '../../src/platform/access/routes/signInRoutes.ts';
import type { ConsoleSessionStore, SignIn, TenantStore } from '../../src/platform/access/rules/ports.ts';
import { adSourceRoutes } from '../../src/platform/adSources/routes/adSourceRoutes.ts';
import type { AdSourceStore } from '../../src/platform/adSources/rules/ports.ts';
import type { AlertDeps } from '../../src/platform/alerts/routes/alertPorts.ts';
import { alertRoutes } from '../../src/platform/alerts/routes/alertRoutes.ts';
import { eventRoutes } from '../../src/platform/alerts/routes/eventRoutes.ts';
import { ruleRoutes } from '../../src/platform/alerts/routes/ruleRoutes.ts';
import { silenceRoutes } from '../../src/platform/alerts/routes/silenceRoutes.ts';
import { webhookRoutes } from '../../src/platform/alerts/routes/webhookRoutes.ts';
import { asRunRoute } from '../../src/platform/asRun/routes/asRunRoute.ts';
import { auditRoutes } from '../../src/platform/audit/routes/auditRoutes.ts';
import type { AuditEntry } from '../../src/platform/audit/rules/auditEntry.ts';
import type { AuditStore } from '../../src/platform/audit/rules/ports.ts';
import { deletedRoutes, discardRecord } from '../../src/platform/deleted/routes/deletedRoutes.ts';
import type { DeletedStore } from '../../src/platform/deleted/rules/deletedRecord.ts';
import { distributorRoutes } from '../../src/platform/distributors/routes/distributorRoutes.ts';
import type { DistributorStore } from '../../src/platform/distributors/rules/ports.ts';
import { searchRoute } from '../../src/platform/history/routes/searchRoute.ts';
import type { SearchedSessions, SessionSearch } from '../../src/platform/history/rules/searchSessions.ts';
import { leapRoutes } from '../../src/platform/leap/routes/leapRoutes.ts';
import { overviewRoute } from '../../src/platform/overview/routes/overviewRoute.ts';
import { reportRoutes } from '../../src/platform/reports/routes/reportRoutes.ts';
import type { ReportStore } from '../../src/platform/reports/rules/ports.ts';
import { guideRoute } from '../../src/platform/schedules/routes/guideRoute.ts';
import { scheduleRoutes } from '../../src/platform/schedules/routes/scheduleRoutes.ts';
import { systemNames } from '../../src/platform/systems/composeSystems.ts';
import { systemRoutes } from '../../src/platform/systems/routes/systemRoutes.ts';
import type { SystemStore } from '../../src/platform/systems/rules/ports.ts';
import type { System, SystemState } from '../../src/platform/systems/rules/system.ts';
import { tryRoutes } from '../../src/platform/tries/routes/tryRoutes.ts';
import type { AdTries } from '../../src/platform/tries/rules/adTries.ts';
import type { Timers } from '../../src/time/clock.ts';

export type OnAirTest = OnAir & { searchSessions(search: SessionSearch): Promise<SearchedSessions> };

export type AdminDeps = Omit<CoreApi, 'discard' | 'systems' | 'adSources' | 'onAir'> &
  Omit<AdminServerDeps, 'routes' | 'pages' | 'endStreams' | 'readSession' | 'audit'> & {
    readonly onAir: OnAirTest;
    readonly audit: AuditStore;
    readonly systems: SystemStore;
    readonly adSources: AdSourceStore;
    readonly systemState: () => Promise<SystemState | undefined>;
    readonly deleted: DeletedStore;
    readonly consoleSessions: ConsoleSessionStore;
    readonly signIn?: SignIn;
    readonly alerts: Omit<AlertDeps, 'channels' | 'now'>;
    readonly tenants: Pick<TenantStore, 'find'>;
    readonly timers: Timers;
    readonly reportStore: (system: System) => ReportStore;
    readonly adTries: AdTries;
    readonly desk: ScheduleDesk<AuditEntry>;
    readonly asRun: Omit<Parameters<typeof asRunRoute>[0], 'channels' | 'now'>;
    readonly distributors: DistributorStore;
    readonly gather: GatherChanges;
  };

export function adminRoutes(deps: AdminDeps): Route[] {
  const { systems, adSources, now } = deps;
  const discard = discardRecord(deps.deleted, now);
  const alerts = { ...deps.alerts, channels: deps.channels, now };
  const routes = [
    ...systemRoutes({ ...deps, discard }),
    ...reportRoutes({ ...deps, createdAt: async (tenant) => (await deps.tenants.find(tenant))?.createdAt }),
    overviewRoute(deps),
    ...coreRoutes({ ...deps, discard, systems: systemNames(systems) }),
    ...adSourceRoutes({ ...deps, discard }),
    asRunRoute({ ...deps, ...deps.asRun }),
    ...scheduleRoutes(deps),
    guideRoute(deps.channels, createGuides({ ...deps, revisionOf: () => undefined, shown: async () => [] })),
    ...distributorRoutes({ ...deps, changed: () => {} }),
    ...leapRoutes({ ...deps, ...deps.onAir, channelsOf: () => [], counts: { peaks: async () => new Map() } }),
    ...tryRoutes({ ...deps, findSources: adSources.findAll }),
    searchRoute(deps.onAir.searchSessions, deps.channels),
    ...keyRoutes(deps),
    ...accessRoutes({ ...deps, signIn: deps.signIn }),
    ...deletedRoutes(deps),
    ...[webhookRoutes, ruleRoutes, alertRoutes, silenceRoutes, eventRoutes].flatMap((routes) => routes(alerts)),
    ...auditRoutes(deps),
  ];
  return [...routes, batchRoute(routes, deps)];
}

export function createTestServer(deps: AdminDeps): FastifyInstance {
  const signIn = { ...deps, signIn: deps.signIn };
  return createAdminServer({
    ...deps,
    routes: adminRoutes(deps),
    pages: [(app) => addSignInRoutes(app, signIn)],
    readSession: deps.signIn && createSessionReader(signIn, deps.signIn),
    endStreams: deps.alerts.streams.end,
  });
}
