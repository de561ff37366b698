// SPDX-License-Identifier: Apache-2.0
// Composes systems: their records, and what publishes creatives to the containers of some.

import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { SystemNames } from '../../http/admin/routes/ports.ts';
import type { DiscardRecord } from '../../http/admin/routes/record.ts';
import { isSystemId } from './contract/systemContract.ts';
import { systemRoutes } from './routes/systemRoutes.ts';
import type { SystemStore } from './rules/ports.ts';
import type { System, SystemState } from './rules/system.ts';

type States = (system: System) => Promise<SystemState | undefined> | SystemState | undefined;

/** @param states each describes the systems that it knows */
export const composeSystems = (
  { now }: Services,
  systems: SystemStore,
  discard: DiscardRecord,
  states: readonly States[],
): Part => ({
  routes: systemRoutes({
    systems,
    async systemState(system) {
      for (const stateOf of states) {
        const state = await stateOf(system);
        if (state !== undefined) return state;
      }
      return undefined;
    },
    discard,
    now,
  }),
});

/** What the routes of channels need of systems. */
export const systemNames = (systems: Pick<SystemStore, 'find' | 'list'>): SystemNames => ({
  has: async (tenant, id) => isSystemId(id) && (await systems.find(tenant, id)) !== undefined,
  list: systems.list,
});
