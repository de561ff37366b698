// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { useMe } from '../api/me.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { type FillRate, fillRate } from '../reports/fillRate.ts';
import { presetRange, reportQuery } from '../reports/reportRange.ts';
import { useReport } from '../reports/useReport.ts';
import { localSystem } from '../systems/localSystem.ts';

const HOUR = 3_600_000;

/** The share of the break time of the last hour that was filled with ads, in total and by channel. */
export function useFillRate(): FillRate {
  // Reports of the whole tenant.
  const isOfTenant = useMe()?.channels === undefined;
  const systems = useGet('/systems', isOfTenant ? {} : null);
  const system = localSystem(systems.data ?? []);
  const range = presetRange('hour', useNow(POLL.minute));
  const query = reportQuery({ range, interval: String(HOUR), channel: '', label: '', groupBy: 'channel' });
  const report = useReport(system ? { path: { id: system.id, report: 'breaks' }, query } : null);
  const latest = useLatest(report.data);
  return useMemo(() => fillRate(latest), [latest]);
}
