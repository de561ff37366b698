// SPDX-License-Identifier: Apache-2.0
// Composes alerts: evaluating rules, delivering events to webhooks, and streaming them.
import { randomUUID } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import { createHttpWebhook } from './webhooks/httpWebhook.ts';
import { sqlAlertRules } from './store/sqlAlertRules.ts';
import { sqlAlerts } from './store/sqlAlerts.ts';
import { sqlEvents } from './store/sqlEvents.ts';
import { sqlWebhookDeliveries } from './store/sqlWebhookDeliveries.ts';
import { sqlWebhooks } from './store/sqlWebhooks.ts';
import { sqlOldestBeacon } from '../../adapters/sql/tracking/sqlOldestBeacon.ts';
import { createEvaluator, EVALUATE_INTERVAL_MS } from './rules/evaluate.ts';
import { EVENTS_KEPT_MS } from './rules/event.ts';
import type { Counts } from './rules/judge.ts';
import type { AlertSources } from './rules/ports.ts';
import { DELIVERIES_KEPT_MS } from './webhooks/delivery.ts';
import { type AttemptOutcome, createDeliverySender } from './webhooks/sendDeliveries.ts';
import type { Channel } from '../../channels/channel.ts';
import type { AlertDeps } from './routes/alertPorts.ts';
import { createEventStreams } from './routes/eventStreams.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { Reading } from '../../notices/noticeReader.ts';
import type { ReportName } from '../reports/rules/catalogue.ts';
import { createChannelSystems } from '../reports/rules/flush/channelSystems.ts';
import type { StoreQuery } from '../reports/rules/ports.ts';
import { systemKey } from '../reports/rules/systemKey.ts';
import type { System } from '../systems/rules/system.ts';
import { millis } from '../../time/units.ts';
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { Services } from '../../composition/openServices.ts';
import { type PeriodicTask, startPeriodicTask } from '../../composition/periodicTask.ts';

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

// Attempts to deliver to webhooks as a metric. Those that are due are in queueMetrics.ts.

/** @returns counts an attempt */
function countAttempts(metrics: Registry): (outcome: AttemptOutcome) => void {
  const attempts = new Counter({
    name: 'midroll_webhook_attempts_total',
    help: 'Attempts to deliver to webhooks by outcome: delivered, retry (attempted again later) or failed (given up)',
    labelNames: ['outcome'] as const,
    registers: [metrics],
  });
  return (outcome) => attempts.inc({ outcome });
}

// What alert rules check, from what this process and the stores know.

/** From this many channels on, those of the whole system are read at once. */
const MANY_CHANNELS = 8;
const MAX_CELLS = 100_000;

function alertSources(
  services: Pick<Services, 'sql' | 'channels' | 'systems' | 'reports' | 'now'>,
  onAir: Pick<OnAirServices, 'cache' | 'stateOf' | 'originHealth'>,
  jobs: Pick<CreativeJobs, 'list'>,
): AlertSources {
  const { channels, systems, reports, now } = services;
  const channelSystems = createChannelSystems({ channels, systems, now });

  /** The system that counts each channel. */
  async function bySystem(report: ReportName, some: readonly Channel[]): Promise<Map<System, Channel[]>> {
    const groups = new Map<string, { system: System; channels: Channel[] }>();
    for (const channel of some) {
      const [system] = await channelSystems.find(channel.id, report, channel.tenant);
      if (system === undefined) continue;
      const group = groups.get(system.id) ?? { system, channels: [] };
      group.channels.push(channel);
      groups.set(system.id, group);
    }
    return new Map([...groups.values()].map((group) => [group.system, group.channels]));
  }

  return {
    channels: () => channels.enabled(),
    async counts(report, some, start, end) {
      const found = new Map<string, Counts>();
      for (const [system, counted] of await bySystem(report, some)) {
        const store = reports.storeFor(system);
        const query: StoreQuery = { system: systemKey(system), report, start, end, interval: end - start };
        if (counted.length >= MANY_CHANNELS) {
          const ids = new Set(counted.map(({ id }) => id));
          for (const { key, amounts } of await store.read({ ...query, by: 'channel' }, MAX_CELLS))
            if (ids.has(key)) found.set(key, amounts);
        } else {
          for (const { id } of counted)
            for (const { row, amounts } of await store.read({ ...query, channel: id }, 2))
              if (row === 0) found.set(id, amounts);
        }
      }
      return found;
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
    oldestBeacon: sqlOldestBeacon(services.sql),
    async creativeFailure({ tenant, id }) {
      const { items } = await jobs.list(tenant, { state: 'failed', channelId: id }, { offset: 0, limit: 1 });
      return items[0]?.reason;
    },
  };
}
