// SPDX-License-Identifier: Apache-2.0
// Converts events to measurements.

import { reportIntervalOf } from '../../../../time/reportInterval.ts';
import { binOf } from '../bins.ts';
import type { AiredBreak, AiredRange, ReportEvent } from '../event.ts';
import type { Measurement } from '../ports.ts';
import { measureDemand } from './measureDemand.ts';
import { splitByInterval } from './splitByInterval.ts';

/** @returns what the event adds to each report */
export const measure = (event: ReportEvent): Measurement[] => [...measureReports(event), ...measureDemand(event)];

/** All reports except those of demand. */
function measureReports(event: ReportEvent): Measurement[] {
  const channel = event.type === 'stored' ? '' : event.channel;
  const count = (
    report: Measurement['report'],
    amounts: Measurement['amounts'],
    { keys = {}, at = reportIntervalOf(event.at), bins }: Partial<Measurement> = {},
  ): Measurement => ({ report, channel, at, keys, amounts, ...(bins ? { bins } : {}) });
  const spread = (amount: string, aired: readonly AiredRange[], sign = 1): Measurement[] =>
    aired.flatMap((one) =>
      [...splitByInterval(one)].map(({ at, ms }) => count('breaks', { [amount]: sign * ms }, { at })),
    );

  const timeOf = ({ at, ms, ads, slate }: AiredBreak, times: 1 | -1): Measurement[] => [
    ...spread('offeredMs', [{ at, ms }], times),
    ...spread('filledMs', ads, times),
    ...spread('slateMs', slate, times),
  ];

  switch (event.type) {
    case 'sessionOpened':
      return [count('viewers', { sessionsStarted: 1 })];
    case 'sessionEnded':
      return [count('viewers', { sessionsEnded: 1 })];
    case 'watching':
      return [count('viewers', { watching: event.viewers })];
    case 'manifests': {
      const { hls, dash, errors, latency } = event;
      return [count('requests', { hls, dash, errors }, { bins: latency })];
    }
    case 'breakDecided':
      return [count('breaks', { breaks: 1 }), ...timeOf(event, 1)];
    case 'breakEnded':
      return timeOf(event, event.times);
    case 'adDecided':
      return [count('ads', { decided: 1 }, { keys: { creative: event.creative } })];
    case 'adSkipped': {
      const { creative, reason } = event;
      return [count('skips', { total: 1, [reason]: 1 }, { keys: { creative, reason } })];
    }
    case 'adRequest':
      return [
        count('ad-requests', adRequestAmounts[event.outcome], {
          keys: { adServer: event.adServer },
          bins: { [binOf(event.ms)]: 1 },
        }),
      ];
    case 'sourceRequested':
      return [];
    case 'adDelivered':
      return spread('deliveredMs', [event], event.times);
    case 'adProgress':
      return [count('ads', { [event.event]: event.times }, { keys: { creative: event.creative } })];
    case 'beacon':
      return [count('beacons', { [event.step]: event.times }, { keys: { host: event.host } })];
    case 'creativeConditioned': {
      const outcome = event.isMade ? 'conditioned' : 'failed';
      return [count('creatives', { [outcome]: 1, takenMs: event.ms }, { keys: { creative: event.creative } })];
    }
    case 'creativesWaiting':
      return [count('creatives', { waiting: event.waiting, failing: event.failing })];
    case 'stored':
      return [count('storage', { bytes: event.bytes, objects: event.objects })];
  }
}

const adRequestAmounts = {
  answered: { sent: 1, answered: 1 },
  empty: { sent: 1, answered: 1, empty: 1 },
  error: { sent: 1, errors: 1 },
  timeout: { sent: 1, timeouts: 1 },
};
