// SPDX-License-Identifier: Apache-2.0
// Composes alerts: evaluating rules, delivering events to webhooks, and streaming them.

import { randomUUID } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import { sqlOldestBeacon } from '../../adapters/sql/tracking/sqlBeacons.ts';
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import { kept } from '../../composition/kept.ts';
import { secondsSince, sharedGauge } from '../../composition/metrics/storeMetrics.ts';
import type { Services } from '../../composition/openServices.ts';
import { madeAtFirstRun, type Part } from '../../composition/part.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { RecentCounts } from '../reports/rules/query/recentCounts.ts';
import type { AlertDeps } from './routes/alertPorts.ts';
import { alertRoutes } from './routes/alertRoutes.ts';
import { eventRoutes } from './routes/eventRoutes.ts';
import { createEventStreams } from './routes/eventStreams.ts';
import { ruleRoutes } from './routes/ruleRoutes.ts';
import { silenceRoutes } from './routes/silenceRoutes.ts';
import { webhookRoutes } from './routes/webhookRoutes.ts';
import { isAcknowledged } from './rules/acknowledgement.ts';
import { createEvaluator, EVALUATE_INTERVAL_MS } from './rules/evaluate.ts';
import { EVENTS_KEPT_MS } from './rules/event.ts';
import type { AlertSources, AlertStore } from './rules/ports.ts';
import { sqlAlertRules, sqlAlerts, sqlEvents } from './store/sqlAlerts.ts';
import { sqlSilences } from './store/sqlSilences.ts';
import { sqlWebhookDeliveries } from './store/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from './store/sqlWebhooks.ts';
import { DELIVERIES_KEPT_MS } from './webhooks/delivery.ts';
import { createHttpWebhook } from './webhooks/httpWebhook.ts';
import type { Firing } from './webhooks/pagingEvent.ts';
import type { WebhookDeliveryStore } from './webhooks/ports.ts';
import { createDeliverySender } from './webhooks/sendDeliveries.ts';
import { createSmtpMail } from './webhooks/smtpMail.ts';

const QUEUE_INTERVAL_MS = 10_000;
const MAX_EVENTS = 10_000;
const MAX_DELIVERIES = 1000;

type Sources = {
  readonly onAir: Pick<OnAirServices, 'cache' | 'stateOf' | 'originHealth'>;
  readonly jobs: Pick<CreativeJobs, 'failures'>;
  readonly counts: RecentCounts;
  readonly serverFailure: AlertSources['serverFailure'];
};

export function composeAlerts(services: Services, sources: Sources): Part {
  const { sql, secretBox: box, channels, config, guard, metrics, now, timers, warn } = services;
  const holder = randomUUID();
  const rules = sqlAlertRules(sql);
  const alerts = sqlAlerts(sql);
  const events = sqlEvents(sql);
  const webhooks = sqlWebhooks(sql, box);
  const deliveries = sqlWebhookDeliveries(sql);
  const silences = sqlSilences(sql);
  const { ADMIN_URL: adminUrl, SMTP_URL: url, SMTP_FROM: from } = config;
  const smtp = url !== undefined && from !== undefined ? { url, from } : undefined;
  const streams = createEventStreams({ events, timers });
  const evaluate = createEvaluator({
    holder,
    rules,
    alerts,
    silences,
    receivers: webhooks.list,
    now,
    log: warn,
    sources: alertSources(services, sources),
    newId: () => `evt_${randomUUID().replaceAll('-', '')}`,
    adminUrl,
  });
  const attempts = new Counter({
    name: 'midroll_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks by outcome: delivered, retry (attempted again later) or failed (given up)',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  const http = createHttpWebhook(guard, { timers });
  const mail = createSmtpMail(smtp, { timers, log: warn });
  const sender = createDeliverySender({
    deliveries,
    webhooks,
    now,
    log: warn,
    adminUrl,
    random: Math.random,
    firing: firingOf(alerts),
    send: (outgoing) => (outgoing.kind === 'http' ? http(outgoing) : mail(outgoing)),
    onAttempt: (outcome) => attempts.inc({ outcome }),
  });
  const deleteOld = async () => {
    await events.removeOld(millis(now() - EVENTS_KEPT_MS), MAX_EVENTS);
    await deliveries.removeOld(millis(now() - DELIVERIES_KEPT_MS), MAX_DELIVERIES);
    await silences.removeEnded(now());
  };
  const stores = { rules, alerts, silences, events, webhooks, deliveries };
  const deps: AlertDeps = { ...stores, streams, channels, now, adminUrl, hasMail: smtp !== undefined };
  return {
    routes: [webhookRoutes, ruleRoutes, alertRoutes, silenceRoutes, eventRoutes].flatMap((routes) => routes(deps)),
    notices: [{ name: 'reading new events', topics: ['events'], read: async (tenants) => streams.wake(tenants) }],
    tasks: [
      { name: 'evaluating alert rules', everyMs: EVALUATE_INTERVAL_MS, run: evaluate },
      { name: 'sending to webhooks', everyMs: 1000, run: sender.sendDue },
      { name: 'deleting old events', everyMs: 600_000, run: deleteOld },
      {
        name: 'measuring the queue of webhooks',
        everyMs: QUEUE_INTERVAL_MS,
        run: madeAtFirstRun(() => deliveryQueue(metrics, deliveries, now)),
        isImmediate: true,
      },
    ],
    endStreams: streams.end,
    finalSteps: {
      storing: {
        async 'delivering to webhooks'() {
          // Another node takes over at once.
          await alerts.release(holder).catch((error: unknown) => warn('releasing alert rules failed', { error }));
          await sender.stop();
        },
      },
    },
  };
}

/** Of a rule: what fires and is not held back. */
const firingOf =
  (alerts: Pick<AlertStore, 'ofTenant'>) =>
  async (tenant: string, ruleId: string): Promise<readonly Firing[]> =>
    (await alerts.ofTenant(tenant, ruleId)).flatMap((alert) => {
      const { state, event } = alert;
      if (event === undefined || state.phase !== 'firing' || state.isHeldBack) return [];
      return [{ alert: event.id, isAcknowledged: isAcknowledged(alert) }];
    });

/** Measured now and then, and not at each scrape: the database may be slow or unavailable. */
function deliveryQueue(
  metrics: Registry,
  deliveries: Pick<WebhookDeliveryStore, 'backlog'>,
  now: () => Millis,
): () => Promise<void> {
  const size = sharedGauge(
    metrics,
    'midroll_webhook_deliveries',
    'Deliveries to webhooks by state: due (not attempted although they are due) or retrying (waiting after a failed attempt)',
    ['state'],
  );
  const oldest = sharedGauge(
    metrics,
    'midroll_webhook_deliveries_oldest_due_seconds',
    'How late the delivery to a webhook is that has been due longest',
  );
  return async () => {
    const { due, retrying, oldestDue } = await deliveries.backlog(now());
    size.set({ state: 'due' }, due);
    size.set({ state: 'retrying' }, retrying);
    oldest.set(secondsSince(oldestDue, now()));
  };
}

/** What failing creatives are read again after: all channels of a tenant are checked one after the other. */
const FAILURES_KEPT_MS = 5000;
/** A failing creative that was not requested for this long is not missed. */
const REQUESTED_MS = 3_600_000;

/** What alert rules check, from what this process and the stores know. */
function alertSources({ sql, channels, now }: Services, sources: Sources): AlertSources {
  const { onAir, jobs, counts, serverFailure } = sources;
  const failures = kept(FAILURES_KEPT_MS, now, (tenant) => jobs.failures(tenant, millis(now() - REQUESTED_MS)));
  return {
    channels: () => channels.enabled(),
    counts: (report, some, start, end) => counts.byChannel(report, some, { start, end }),
    serverFailure,
    async failingCreatives({ tenant, id }) {
      return (await failures(tenant)).find(({ channelId }) => channelId === id)?.failing ?? 0;
    },
    async isOnAir(channel) {
      const status = await onAir.stateOf(channel);
      // A channel without any usable content shows slate, and counts as not on air.
      const isFailed = status?.state === 'failed';
      const isOnAir = !isFailed && (channel.type === 'vod' || onAir.cache.find(channel)?.airing !== undefined);
      const reason = status?.stateReason?.replace(/\.$/, '');
      return { isOnAir, ...(isOnAir || reason === undefined ? {} : { reason }) };
    },
    async origins(channel) {
      const { hls, dash } = await onAir.originHealth(channel);
      return [hls, dash].filter((health) => health !== undefined);
    },
    oldestBeacon: sqlOldestBeacon(sql),
    async creativeFailure({ tenant, id }) {
      return (await failures(tenant)).find(({ channelId }) => channelId === id)?.reason;
    },
  };
}
