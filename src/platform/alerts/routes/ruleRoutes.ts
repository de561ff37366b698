// SPDX-License-Identifier: Apache-2.0
// Alert rules. Which threshold fields a rule has depends on its kind.

import { randomUUID } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import { type FieldError, fieldError } from '../../../errors.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { schemaFaults } from '../../../http/admin/request/validate.ts';
import { crudRoutes, type Kind } from '../../../http/admin/routes/crud.ts';
import { auditedChange, showRecord } from '../../../http/admin/routes/record.ts';
import { isRecordId, readOnlyFields } from '../../../http/contract/commonContract.ts';
import {
  type AlertRuleBody,
  type AlertRuleResponse,
  alertRuleBody,
  alertRuleResponse,
  ruleChannels,
  ruleWebhooks,
} from '../contract/alertContract.ts';
import { DEFAULT_FOR_MINUTES, thresholds } from '../contract/alertValues.ts';
import { type AlertKind, type AlertRule, describeRule, MAX_RULES } from '../rules/rule.ts';
import type { AlertDeps } from './alertPorts.ts';
import { insertWithin } from './insertWithin.ts';

const thresholdNames = [...new Set(Object.values(thresholds).flatMap(Object.keys))];

const isKind = (value: unknown): value is AlertKind => typeof value === 'string' && Object.hasOwn(thresholds, value);

/** The threshold fields of another kind. A change of the kind removes those of the previous one. */
function thresholdFaults(fields: Record<string, unknown>, previous: AlertRule | undefined): FieldError[] {
  const { kind } = fields;
  if (!isKind(kind)) return [];
  const known = Object.keys(thresholds[kind]);
  const before = previous as Record<string, unknown> | undefined;
  return thresholdNames
    .filter((name) => Object.hasOwn(fields, name) && !known.includes(name) && fields[name] !== before?.[name])
    .map((name) => {
      const expected = known.length === 0 ? 'must be omitted' : `must be one of ${known.join(', ')}`;
      return fieldError('threshold', `/${name}`, `${expected} for the kind "${kind}"`, { kind });
    });
}

type Find = (id: string) => Promise<unknown>;

/**
 * Ids that were added and of which there is no record: a deleted channel does not prevent an edit. A list that the schema rejects
 * is not looked up.
 */
async function idFaults(
  ids: unknown,
  schema: TSchema,
  known: readonly string[],
  path: string,
  noun: string,
  find: Find,
): Promise<FieldError[]> {
  if (!Array.isArray(ids) || schemaFaults(schema, ids).length > 0) return [];
  const faults: FieldError[] = [];
  for (const [index, id] of (ids as string[]).entries()) {
    if (known.includes(id)) continue;
    if ((await find(id)) === undefined) {
      faults.push(fieldError('exists', `${path}/${index}`, `must be the id of a ${noun}; got ${JSON.stringify(id)}`));
    }
  }
  return faults;
}

/** The fields of its kind, with their defaults. */
function conditionOf(body: AlertRuleBody): object {
  const defaults = thresholds[body.kind] as Record<string, unknown>;
  const given = body as unknown as Record<string, unknown>;
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, given[name] ?? value]));
}

export function makeRule(body: AlertRuleBody, previous?: AlertRule) {
  const { kind, forMinutes = DEFAULT_FOR_MINUTES, repeatMinutes, channels = [], webhooks = [], enabled = true } = body;
  const condition = { kind, ...conditionOf(body), forMinutes } as AlertRule;
  // A name that describes the rule follows its changes.
  const isGenerated = previous !== undefined && body.name === describeRule(previous);
  const name = body.name === undefined || body.name === '' || isGenerated ? describeRule(condition) : body.name;
  const repeat = repeatMinutes === undefined ? {} : { repeatMinutes };
  return { ...condition, name, enabled, channels, ...repeat, webhooks };
}

export function ruleRoutes({ rules, webhooks, channels, now }: AlertDeps): KeyedRoute[] {
  const kind: Kind<AlertRule, AlertRuleBody> = {
    noun: 'alert rule',
    operation: 'AlertRule',
    tag: 'alerts',
    path: '/api/v2/alert-rules',
    body: alertRuleBody,
    response: alertRuleResponse,
    ignored: readOnlyFields,
    store: { ...rules, insert: insertWithin(rules, `${MAX_RULES} alert rules`) },
    discard: async (rule, { audit }) => {
      const entry = audit.entry(auditedChange('alert rule', rule, undefined));
      return (await rules.remove(rule.tenant, rule.id, rule.version, entry)) ? {} : undefined;
    },
    discarding: { headers: {} },
    now,
    newId: randomUUID,
    isId: isRecordId,
    async faults(given, { tenant }, previous) {
      const fields = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>;
      return [
        ...thresholdFaults(fields, previous),
        ...(await idFaults(fields.channels, ruleChannels, previous?.channels ?? [], '/channels', 'channel', (id) =>
          channels.find(tenant, id),
        )),
        ...(await idFaults(fields.webhooks, ruleWebhooks, previous?.webhooks ?? [], '/webhooks', 'webhook', (id) =>
          webhooks.find(tenant, id),
        )),
      ];
    },
    make: makeRule as never,
    show: async (rule) => showRecord(rule) as AlertRuleResponse,
    changed: () => {},
    example: {
      id: 'low-fill',
      body: { kind: 'fill', belowPercent: 80, forMinutes: 5 },
      patch: { belowPercent: 70, repeatMinutes: 60 },
    },
  };
  const { find: _, ...routes } = crudRoutes(kind);
  const list: KeyedRoute = {
    tag: 'alerts',
    method: 'GET',
    path: kind.path,
    operationId: 'listAlertRules',
    summary: 'List alert rules',
    response: {
      status: 200,
      description: 'All rules of the tenant, newest first.',
      schema: Type.Array(alertRuleResponse),
    },
    errors: [],
    example: {},
    handle: async ({ caller }) => ({
      status: 200,
      json: (await rules.list(caller.tenant)).map((rule) => showRecord(rule)),
    }),
  };
  return [list, ...Object.values(routes)];
}
