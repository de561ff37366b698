// SPDX-License-Identifier: Apache-2.0
// Composes alerts: evaluating rules, delivering events to webhooks, and streaming them.
import { randomUUID } from 'node:crypto';
import { createHttpWebhook } from '../../adapters/http/httpWebhook.ts';
import { sqlAlertRules } from '../../adapters/sql/alerts/sqlAlertRules.ts';
import { sqlAlerts } from '../../adapters/sql/alerts/sqlAlerts.ts';
import { sqlEvents } from '../../adapters/sql/alerts/sqlEvents.ts';
import { sqlWebhookDeliveries } from '../../adapters/sql/alerts/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from '../../adapters/sql/alerts/sqlWebhooks.ts';
import { createEvaluator, EVALUATE_INTERVAL_MS } from '../../alerts/evaluate.ts';
import { EVENTS_KEPT_MS } from '../../alerts/event.ts';
import { DELIVERIES_KEPT_MS } from '../../alerts/webhooks/delivery.ts';
import { createDeliverySender } from '../../alerts/webhooks/sendDeliveries.ts';
import type { AlertDeps } from '../../http/admin/routes/alerts/alertPorts.ts';
import { createEventStreams } from '../../http/admin/routes/alerts/eventStreams.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { Reading } from '../../notices/noticeReader.ts';
import { millis } from '../../time/units.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import { countAttempts } from '../metrics/webhookMetrics.ts';
import type { Services } from '../openServices.ts';
import { type PeriodicTask, startPeriodicTask } from '../periodicTask.ts';
import { alertSources } from './alertSources.ts';

const MAX_EVENTS = 10_000;
const MAX_DELIVERIES = 1000;

export type Alerts = {
  readonly routes: AlertDeps;
  /** New events of all nodes wake the streams. */
  readonly reading: Reading;
  /** In the process with the administrative port. */
  start(): PeriodicTask[];
  stop(): Promise<void>;
};

export function composeAlerts(services: Services, onAir: OnAirServices, jobs: Pick<CreativeJobs, 'list'>): Alerts {
  const { sql, secretBox: box, config, guard, now, timers, warn } = services;
  const holder = randomUUID();
  const rules = sqlAlertRules(sql);
  const alerts = sqlAlerts(sql);
  const events = sqlEvents(sql);
  const webhooks = sqlWebhooks(sql, box);
  const deliveries = sqlWebhookDeliveries(sql);
  const streams = createEventStreams({ events, timers });
  const evaluate = createEvaluator({
    ...{ holder, rules, alerts, now, log: warn },
    sources: alertSources(services, onAir, jobs),
    newId: () => `evt_${randomUUID().replaceAll('-', '')}`,
    adminUrl: config.ADMIN_URL,
  });
  const sender = createDeliverySender({
    ...{ deliveries, webhooks, now, random: Math.random, log: warn },
    send: createHttpWebhook(guard, { timers }),
    onAttempt: countAttempts(services.metrics),
  });
  const deleteOld = async () => {
    await events.removeOld(millis(now() - EVENTS_KEPT_MS), MAX_EVENTS);
    await deliveries.removeOld(millis(now() - DELIVERIES_KEPT_MS), MAX_DELIVERIES);
  };
  return {
    routes: { rules, alerts, events, webhooks, deliveries, streams },
    reading: { name: 'reading new events', topics: ['events'], read: async (tenants) => streams.wake(tenants) },
    start: () => [
      startPeriodicTask(timers, 'evaluating alert rules', EVALUATE_INTERVAL_MS, evaluate, warn),
      startPeriodicTask(timers, 'sending to webhooks', 1000, sender.sendDue, warn),
      startPeriodicTask(timers, 'deleting old events', 600_000, deleteOld, warn),
    ],
    async stop() {
      // Another node takes over at once.
      await alerts.release(holder).catch((error: unknown) => warn('releasing alert rules failed', { error }));
      await sender.stop();
    },
  };
}
