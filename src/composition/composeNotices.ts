// SPDX-License-Identifier: Apache-2.0
// Composes notices: those of the database, followed and measured.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { openNotices } from '../adapters/sql/notices/openNotices.ts';
import {
  createNoticeFollower,
  type NoticeFollower,
  type NoticeObserver,
  type NoticePolls,
} from '../notices/followNotices.ts';
import type { Millis } from '../time/units.ts';
import type { Services } from './openServices.ts';

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function observeNotices(metrics: Registry, now: () => Millis): NoticeObserver {
  const registers = [metrics];
  const delay = new Histogram({
    name: 'midroll_notice_delay_seconds',
    help: 'From the change of a record until this process has read it; topic echo: until a notice to itself has arrived',
    labelNames: ['topic'] as const,
    buckets: BUCKETS,
    registers,
  });
  const arrived = new Counter({
    name: 'midroll_notices_total',
    help: 'Notices of changed records that have arrived, by topic',
    labelNames: ['topic'] as const,
    registers,
  });
  const connected = new Gauge({
    name: 'midroll_notices_connected',
    help: '1 while notices arrive; 0 while changes are read every second',
    aggregator: 'min',
    registers,
  });
  return {
    arrived: (topic) => arrived.inc({ topic }),
    read: ({ topic, at }) => delay.observe({ topic }, Math.max(0, now() - at) / 1000),
    echo: (ms) => delay.observe({ topic: 'echo' }, ms / 1000),
    connected: (isConnected) => connected.set(isConnected ? 1 : 0),
  };
}

export async function composeNotices(
  { sql, config, now, timers, warnAlways: warn }: Services,
  metrics: Registry,
  polls?: NoticePolls,
): Promise<NoticeFollower> {
  const source = await openNotices(sql, config, { now, timers });
  return createNoticeFollower({ source, timers, warn, observe: observeNotices(metrics, now), ...(polls && { polls }) });
}
