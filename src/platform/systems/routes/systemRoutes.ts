// SPDX-License-Identifier: Apache-2.0
// Systems and the names of their reports. Responses contain credentials, so they must not be cached.

import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { AppError, type FieldError, fieldError, pathTo } from '../../../errors.ts';
import type { AdminRequest, KeyedRoute } from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind, listRoute, withoutSecrets } from '../../../http/admin/routes/crud.ts';
import {
  type DiscardRecord,
  forceQuery,
  isForced,
  restoreHeader,
  showRecord,
} from '../../../http/admin/routes/record.ts';
import { readOnlyFields } from '../../../http/contract/commonContract.ts';
import type { Millis } from '../../../time/units.ts';
import { isSystemId, type SystemBody, systemBody, systemResponse } from '../contract/systemContract.ts';
import { type SystemType, settingNames } from '../contract/systemValues.ts';
import type { SystemStore } from '../rules/ports.ts';
import { newRecordId, reportNames, type System, type SystemState } from '../rules/system.ts';

/** The names of settings depend on the type. */
function settingFaults(fields: unknown): FieldError[] {
  const { type, settings } = fieldsOf(fields);
  const isType = typeof type === 'string' && Object.hasOwn(settingNames, type);
  const known: readonly string[] | undefined = isType ? settingNames[type as SystemType] : undefined;
  if (!known || typeof settings !== 'object' || settings === null) return [];
  return Object.keys(settings)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const message = `is not a setting of type "${type}"; must be one of ${known.join(', ')}`;
      return fieldError('additionalProperties', pathTo('/settings', name), message, { additionalProperty: name });
    });
}

/** Settings can be credentials. */
const SECRETS = ['settings'];

type Deps = {
  readonly systems: SystemStore;
  /** Undefined for a system without external services. */
  readonly systemState: (system: System) => Promise<SystemState | undefined>;
  readonly discard: DiscardRecord;
  readonly now: () => Millis;
};

export function systemRoutes({ systems, systemState, discard: discardRecord, now }: Deps): KeyedRoute[] {
  const ssaiIds = async (tenant: string) =>
    (await systems.list(tenant)).filter(({ type }) => type === 'ssai').map(({ id }) => id);
  /** The last system of type ssai is deleted only with `force`: reports are read through one. */
  async function discard(system: Versioned<System>, request: AdminRequest) {
    const isUnconditional = isForced(request) || system.type !== 'ssai';
    const last = isUnconditional ? {} : { unlessLastOf: await ssaiIds(system.tenant) };
    const headers = await discardRecord('system', system, request, last);
    if (headers !== undefined || isUnconditional) return headers;
    const [only, ...others] = await ssaiIds(system.tenant);
    if (only !== system.id || others.length > 0) return undefined;
    throw new AppError(
      'CONFLICT',
      `System "${system.id}" is the last one of type ssai. Add ?force=true to delete it all the same.`,
    );
  }
  const kind: Kind<System, SystemBody> = {
    noun: 'system',
    path: '/api/v2/systems',
    body: systemBody,
    response: systemResponse,
    ignored: [...readOnlyFields, 'state', 'stateReason'],
    store: systems,
    discard,
    discarding: { query: forceQuery, headers: restoreHeader, errors: [409] },
    now,
    newId: randomUUID,
    isId: isSystemId,
    faults: async (fields) => settingFaults(fields),
    make: ({ id: _, ...fields }, previous) => ({
      ...fields,
      _id: previous?._id ?? newRecordId(),
      settings: fields.settings ?? {},
    }),
    show: async (system) => ({ _id: system._id, ...showRecord(system), ...(await systemState(system)) }),
    changed: () => {},
    example: {
      id: '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11',
      body: { name: 'Search backend', type: 'ssai', settings: { searchDomain: 'https://search.example.com' } },
      patch: { settings: { searchIndex: 'midroll-events' } },
    },
  };
  const { find, ...routes } = crudRoutes(kind);

  const list = listRoute(kind, systems.list, 'All systems of the tenant.');
  const reports: KeyedRoute = {
    tag: 'reports',
    method: 'GET',
    path: `${kind.path}/:id/reports`,
    operationId: 'listReports',
    summary: 'List the reports of a system',
    response: { status: 200, description: 'Names of reports.', schema: Type.Array(Type.String()) },
    errors: [404],
    example: { params: { id: kind.example.id } },
    handle: async (request) => ({ status: 200, json: reportNames[(await find(request)).type] }),
  };

  const { create, read, ...others } = routes;
  return [withoutSecrets(list, SECRETS), create, withoutSecrets(read, SECRETS), ...Object.values(others), reports];
}
