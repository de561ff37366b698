// SPDX-License-Identifier: Apache-2.0
// Alerts that are pending or firing, and what people do about one: acknowledge it, or silence it for a while.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { labelsOf } from '../../../channels/labels.ts';
import { AppError } from '../../../errors.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { type AdminRequest, type KeyedRoute, ok, tagged } from '../../../http/admin/request/route.ts';
import { auditedChange, idIn, readFields, recordNotFound } from '../../../http/admin/routes/record.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { isoText } from '../../../time/units.ts';
import { mayAccess } from '../../access/rules/scope.ts';
import { type AlertResponse, alertQuery, alertResponse } from '../contract/alertContract.ts';
import { defaultSeverities } from '../contract/alertValues.ts';
import { alertSilenceBody, silenceResponse } from '../contract/silenceContract.ts';
import { acknowledgementOf } from '../rules/acknowledgement.ts';
import { type AlertEvent, showEvent } from '../rules/event.ts';
import { deliveriesOf } from '../rules/notify.ts';
import type { StoredAlert } from '../rules/ports.ts';
import type { AlertRule } from '../rules/rule.ts';
import { MAX_SILENCES, type Silence, silenceOf } from '../rules/silence.ts';
import { ACKNOWLEDGED } from '../webhooks/delivery.ts';
import type { AlertDeps } from './alertPorts.ts';
import { endFaults, readEnd, showSilence } from './silences.ts';
import { tenantRecords } from './tenantRecords.ts';

type Labels = ReadonlyMap<string, readonly string[]>;
type FiringAlert = StoredAlert & { readonly event: AlertEvent };

export function alertRoutes(deps: AlertDeps): KeyedRoute[] {
  const { alerts, rules, webhooks, channels, now } = deps;
  const silences = tenantRecords('silence', deps.silences, MAX_SILENCES).store;

  /** Of all channels with one statement: a tenant may have an alert on each of them. */
  async function labelsByChannel(silences: readonly Silence[], tenant: string): Promise<Labels> {
    if (silences.every(({ label }) => label === undefined)) return new Map();
    const own = (await channels.enabled()).filter((channel) => channel.tenant === tenant);
    return new Map(own.map((channel) => [channel.id, labelsOf(channel)]));
  }

  const matchOf = ({ ruleId, channelId }: StoredAlert, labels: Labels) => {
    return { rule: ruleId, channel: channelId, labels: labels.get(channelId) ?? [] };
  };

  function show(alert: StoredAlert, rule: AlertRule | undefined, all: readonly Silence[], labels: Labels) {
    const { ruleId, channelId, state, event } = alert;
    const silence = silenceOf(all, matchOf(alert, labels), now());
    const acknowledgement = acknowledgementOf(alert);
    return {
      ...withoutUndefined({ id: event?.id }),
      rule: ruleId,
      channel: channelId,
      state: state.phase,
      severity: event?.severity ?? rule?.severity ?? defaultSeverities.fill,
      since: isoText(state.since),
      ...withoutUndefined({
        value: (state.phase === 'firing' ? state.last?.value : undefined) ?? event?.value,
        event: event && showEvent(event),
        acknowledged: acknowledgement && { by: acknowledgement.by, at: isoText(acknowledgement.at) },
        silenced: silence && { id: silence.id, by: silence.createdBy, until: isoText(silence.until) },
      }),
    } satisfies Sent<AlertResponse>;
  }

  async function showAll(tenant: string, some: readonly StoredAlert[]) {
    const [known, all] = await Promise.all([rules.list(tenant), deps.silences.list(tenant)]);
    const byId = new Map(known.map((rule) => [rule.id, rule]));
    const labels = await labelsByChannel(all, tenant);
    return some.map((alert) => show(alert, byId.get(alert.ruleId), all, labels));
  }

  /** @throws {AppError} NOT_FOUND */
  async function find(request: AdminRequest): Promise<FiringAlert> {
    const { caller } = request;
    const id = idIn(request);
    const found = (await alerts.ofTenant(caller.tenant)).find(({ event }) => event?.id === id);
    if (found?.event === undefined || !mayAccess(caller, found.channelId)) throw recordNotFound('alert', id);
    return { ...found, event: found.event };
  }

  const shownOne = async (alert: StoredAlert) => (await showAll(alert.tenant, [alert]))[0];

  /** For paging services. */
  async function acknowledgements({ tenant, receivers = [], event }: FiringAlert) {
    const paging = (await webhooks.list(tenant)).filter(({ type }) => type === 'pagerduty');
    const ungrouped = paging.map(({ id }) => ({ id, grouped: false }));
    return deliveriesOf({ ...event, id: randomUUID(), at: now() }, receivers, ungrouped, ACKNOWLEDGED);
  }

  const path = '/api/v2/alerts/:id';
  const params = { id: 'evt_5f0c1d6b0d0e4f6bb1a1c6a0f5a3a9b7' };
  const facts = { scope: 'operate', channelAccess: 'filtered', errors: [404, 409] } as const;
  return tagged('alerts', [
    {
      channelAccess: 'filtered',
      method: 'GET',
      path: '/api/v2/alerts',
      operationId: 'listAlerts',
      summary: 'List the alerts that are pending or firing',
      query: alertQuery,
      response: ok('One for each rule and channel.', Type.Array(alertResponse)),
      errors: [422],
      example: { query: { state: 'firing' } },
      handle: async ({ caller, query }) => {
        const { rule, channel, state, severity } = readQuery(alertQuery, query);
        const own = (await alerts.ofTenant(caller.tenant, rule)).filter(
          (alert) =>
            mayAccess(caller, alert.channelId) &&
            (channel === undefined || alert.channelId === channel) &&
            (state === undefined || alert.state.phase === state),
        );
        const shown = await showAll(caller.tenant, own);
        return { status: 200, json: shown.filter((alert) => severity === undefined || alert.severity === severity) };
      },
    },
    {
      ...facts,
      method: 'POST',
      path: `${path}/acknowledge`,
      operationId: 'acknowledgeAlert',
      summary: 'Acknowledge an alert that is firing',
      description:
        'There are no more reminders, and incidents of paging services are acknowledged. A repetition changes nothing.',
      response: ok('The alert.', alertResponse),
      example: { params },
      handle: async (request) => {
        const alert = await find(request);
        const { event, channelId } = alert;
        const audited = { kind: 'alert', id: event.id, name: `${event.rule.name}, ${event.channel.name ?? channelId}` };
        if (acknowledgementOf(alert) !== undefined) {
          request.audit.note({ ...audited, outcome: 'unchanged' });
          return { status: 200, json: await shownOne(alert) };
        }
        const acknowledged = { alert: event.id, by: request.caller.email, at: now() };
        const entry = request.audit.entry({ ...audited, details: { rule: alert.ruleId, channel: channelId } });
        if (!(await alerts.acknowledge(alert, acknowledged, entry, await acknowledgements(alert))))
          throw recordNotFound('alert', event.id);
        return { status: 200, json: await shownOne({ ...alert, acknowledged }) };
      },
    },
    {
      ...facts,
      method: 'POST',
      path: `${path}/silence`,
      operationId: 'silenceAlert',
      summary: 'Send nothing about an alert for a while',
      description:
        'Adds a silence of its rule and channel, which also applies if the alert resolves and fires again. If the alert has been sent, its end is sent, too.',
      body: { schema: alertSilenceBody },
      response: { status: 201, description: 'The silence.', schema: silenceResponse },
      example: { params, body: { minutes: 60 } },
      handle: async (request) => {
        const body = await readFields(request.body, 'silence', alertSilenceBody, (fields) => endFaults(fields, now()));
        const { ruleId: rule, channelId: channel } = await find(request);
        const { tenant, email: createdBy } = request.caller;
        const owner = { id: randomUUID(), tenant, createdBy, createdAt: isoText(now()) };
        const ends = { until: readEnd(body, now()), ...withoutUndefined({ reason: body.reason }) };
        const silence = { ...owner, rule, channel, ...ends };
        await silences.insert(silence, request.audit.entry(auditedChange('silence', undefined, silence)));
        return { status: 201, json: showSilence({ ...silence, version: 0 }) };
      },
    },
    {
      ...facts,
      method: 'DELETE',
      path: `${path}/silence`,
      operationId: 'unsilenceAlert',
      summary: 'End the silences of an alert',
      description: 'Those of its rule and channel alone. If it fires and has not been sent, it is sent now.',
      response: { status: 204, description: 'Ended.' },
      example: { params },
      handle: async (request) => {
        const alert = await find(request);
        const { tenant } = alert;
        const all = await deps.silences.list(tenant);
        const match = matchOf(alert, await labelsByChannel(all, tenant));
        const matching = all.filter((one) => silenceOf([one], match, now()) !== undefined);
        const wider = matching.find(({ rule, channel }) => rule === undefined || channel === undefined);
        if (wider !== undefined)
          throw new AppError('CONFLICT', `Silence "${wider.id}" is about more alerts. Delete it instead.`);
        for (const one of matching) {
          const entry = request.audit.entry(auditedChange('silence', one, undefined));
          await deps.silences.remove(tenant, one.id, one.version, entry);
        }
        return { status: 204 };
      },
    },
  ]);
}
