// SPDX-License-Identifier: Apache-2.0
// Alert rules. Which threshold fields a rule has depends on its kind.

import type { TSchema } from 'typebox';
import { type Fields, fieldsOf } from '../../../channels/fieldsOf.ts';
import { labelFaults } from '../../../channels/labels.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { schemaFaults } from '../../../http/admin/request/validate.ts';
import { crudRoutes, type Kind, listRoute } from '../../../http/admin/routes/crud.ts';
import { showRecord } from '../../../http/admin/routes/record.ts';
import { readOnlyFields } from '../../../http/contract/commonContract.ts';
import { withoutUndefined } from '../../../invariant.ts';
import {
  type AlertRuleBody,
  type AlertRuleResponse,
  alertRuleBody,
  alertRuleResponse,
  ruleChannels,
  ruleWebhooks,
} from '../contract/alertContract.ts';
import { DEFAULT_FOR_MINUTES, defaultSeverities, thresholds } from '../contract/alertValues.ts';
import { type AlertKind, type AlertRule, describeRule, MAX_RULES } from '../rules/rule.ts';
import type { AlertDeps } from './alertPorts.ts';
import { tenantRecords } from './tenantRecords.ts';

const thresholdNames = [...new Set(Object.values(thresholds).flatMap(Object.keys))];

const isKind = (value: unknown): value is AlertKind => typeof value === 'string' && Object.hasOwn(thresholds, value);

/** The threshold fields of another kind. A change of the kind removes those of the previous one. */
function thresholdFaults(fields: Fields, previous: AlertRule | undefined): FieldError[] {
  const { kind } = fields;
  if (!isKind(kind)) return [];
  const known = Object.keys(thresholds[kind]);
  const before = previous as Record<string, unknown> | undefined;
  return thresholdNames
    .filter((name) => Object.hasOwn(fields, name) && !known.includes(name) && fields[name] !== before?.[name])
    .map((name) => {
      const expected =
        known.length === 0 ? 'must be omitted' : `must be omitted or replaced by one of ${known.join(', ')}`;
      return fieldError('threshold', `/${name}`, `${expected} for the kind "${kind}"`, { kind });
    });
}

type Ids = { readonly ids: unknown; readonly schema: TSchema; readonly known: readonly string[] | undefined };

/**
 * Ids that were added and of which there is no record: a deleted channel does not prevent an edit. A list that the schema rejects
 * is not looked up.
 */
async function idFaults(
  noun: 'channel' | 'webhook',
  { ids, schema, known = [] }: Ids,
  find: (id: string) => Promise<unknown>,
): Promise<FieldError[]> {
  if (!Array.isArray(ids) || schemaFaults(schema, ids).length > 0) return [];
  const faults: FieldError[] = [];
  for (const [index, id] of (ids as string[]).entries()) {
    if (known.includes(id) || (await find(id)) !== undefined) continue;
    const message = `must be the id of a ${noun}; got ${JSON.stringify(id)}`;
    faults.push(fieldError('exists', `/${noun}s/${index}`, message));
  }
  return faults;
}

/** The fields of its kind, with their defaults. */
function conditionOf(body: AlertRuleBody): object {
  const defaults = thresholds[body.kind] as Record<string, unknown>;
  const given = body as unknown as Record<string, unknown>;
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given[name] ?? value]));
}

function makeRule(body: AlertRuleBody, previous?: AlertRule) {
  const { kind, forMinutes = DEFAULT_FOR_MINUTES, repeatMinutes, runbook } = body;
  const { channels = [], labels = [], webhooks = [], enabled = true, severity = defaultSeverities[kind] } = body;
  const condition = { kind, ...conditionOf(body), forMinutes } as AlertRule;
  // A name that describes the rule follows its changes.
  const isGenerated = previous !== undefined && body.name === describeRule(previous);
  const name = body.name === undefined || body.name === '' || isGenerated ? describeRule(condition) : body.name;
  const optional = withoutUndefined({ runbook, repeatMinutes });
  return { ...condition, name, enabled, severity, channels, labels, webhooks, ...optional };
}

export function ruleRoutes({ rules, webhooks, channels, now }: AlertDeps): KeyedRoute[] {
  const kind: Kind<AlertRule, AlertRuleBody> = {
    ...tenantRecords('alert rule', rules, MAX_RULES),
    operation: 'AlertRule',
    tag: 'alerts',
    path: '/api/v2/alert-rules',
    body: alertRuleBody,
    response: alertRuleResponse,
    ignored: readOnlyFields,
    now,
    async faults(given, { tenant }, previous) {
      const fields = fieldsOf(given);
      const channelIds = { ids: fields.channels, schema: ruleChannels, known: previous?.channels };
      const webhookIds = { ids: fields.webhooks, schema: ruleWebhooks, known: previous?.webhooks };
      return [
        ...thresholdFaults(fields, previous),
        ...labelFaults(fields.labels, '/labels'),
        ...urlFaults(fields.runbook, '/runbook'),
        ...(await idFaults('channel', channelIds, (id) => channels.find(tenant, id))),
        ...(await idFaults('webhook', webhookIds, (id) => webhooks.find(tenant, id))),
      ];
    },
    make: makeRule as never,
    show: async (rule) => showRecord(rule) as AlertRuleResponse,
    example: {
      id: 'low-fill',
      body: { kind: 'fill', belowPercent: 80, forMinutes: 5 },
      patch: { belowPercent: 70, repeatMinutes: 60 },
    },
  };
  const { find: _, ...routes } = crudRoutes(kind);
  const list = listRoute(kind, rules.list, 'All rules of the tenant, newest first.');
  return [list, ...Object.values(routes)];
}
