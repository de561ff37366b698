// SPDX-License-Identifier: Apache-2.0
// Silences of a rule, a channel or a label: about which alerts nothing is sent, and until when.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind, listRoute } from '../../../http/admin/routes/crud.ts';
import { isRecordId, readOnlyFields } from '../../../http/contract/commonContract.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { type SilenceBody, silenceBody, silenceResponse } from '../contract/silenceContract.ts';
import { MAX_SILENCES, type Silence } from '../rules/silence.ts';
import type { AlertDeps } from './alertPorts.ts';
import { endFaults, readEnd, showSilence } from './silences.ts';
import { tenantRecords } from './tenantRecords.ts';

export function silenceRoutes({ silences, rules, channels, now }: AlertDeps): KeyedRoute[] {
  async function matchFaults(body: unknown, tenant: string): Promise<FieldError[]> {
    const { rule, channel, label } = fieldsOf(body);
    if (rule === undefined && channel === undefined && label === undefined)
      return [fieldError('match', '/rule', 'must be present, or "channel" or "label"; got none of them')];
    const known: readonly [string, unknown, (id: string) => Promise<unknown>][] = [
      ['rule', rule, (id) => rules.find(tenant, id)],
      ['channel', channel, (id) => channels.find(tenant, id)],
    ];
    const faults: FieldError[] = [];
    for (const [noun, id, find] of known) {
      // The schema reports what is no id.
      if (typeof id !== 'string' || !isRecordId(id) || (await find(id)) !== undefined) continue;
      faults.push(fieldError('exists', `/${noun}`, `must be the id of a ${noun}; got ${JSON.stringify(id)}`));
    }
    return faults;
  }

  const kind: Kind<Silence, SilenceBody> = {
    ...tenantRecords('silence', silences, MAX_SILENCES),
    tag: 'alerts',
    path: '/api/v2/silences',
    body: silenceBody,
    response: silenceResponse,
    ignored: readOnlyFields,
    now,
    faults: async (fields, { tenant }) => [...endFaults(fields, now()), ...(await matchFaults(fields, tenant))],
    make: ({ rule, channel, label, reason, ...end }) => ({
      until: readEnd(end, now()),
      ...withoutUndefined({ rule, channel, label, reason }),
    }),
    show: async (silence) => showSilence(silence),
    example: { id: 'maintenance', body: { label: 'sports', minutes: 60, reason: 'Maintenance' }, patch: {} },
  };
  const { create, remove } = crudRoutes(kind);
  const active = async (tenant: string) => (await silences.list(tenant)).filter(({ until }) => until > now());
  return [
    listRoute(kind, active, 'Those that have not ended, newest first.'),
    { ...create, scope: 'operate' },
    { ...remove, scope: 'operate' },
  ];
}
