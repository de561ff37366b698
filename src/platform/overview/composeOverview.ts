// SPDX-License-Identifier: Apache-2.0
// Composes the overview: it reads the reports of systems and stores nothing.
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { TenantStore } from '../access/rules/ports.ts';
import type { ReportStores } from '../reports/store/search/reportStores.ts';
import type { SystemStore } from '../systems/rules/ports.ts';
import { overviewRoute } from './routes/overviewRoute.ts';

type Sources = {
  readonly systems: SystemStore;
  readonly tenants: Pick<TenantStore, 'find'>;
  readonly reportStore: ReportStores;
};

export const composeOverview = (
  { channels, now, timers }: Services,
  { systems, tenants, reportStore }: Sources,
): Part => ({
  routes: [overviewRoute({ systems, tenants, reportStore, channels, now, timers })],
});
