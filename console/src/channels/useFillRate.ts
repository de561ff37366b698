// SPDX-License-Identifier: Apache-2.0

import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import type { SystemResponse } from '../../../src/platform/systems/contract/systemContract.ts';
import { useMe } from '../api/me.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { type FillRate, fillRate } from '../reports/fillRate.ts';
import { presetRange, reportQuery } from '../reports/reportRange.ts';
import { localSystem } from '../systems/localSystem.ts';

const HOUR = 3_600_000;

/** The share of the break time of the last hour that was filled with ads, in total and by channel. */
export function useFillRate(): FillRate {
  // Reports of the whole tenant.
  const isOfTenant = useMe()?.channels === undefined;
  const systems = useGet<SystemResponse[]>(isOfTenant ? '/systems' : null);
  const system = localSystem(systems.data ?? []);
  const range = presetRange('hour', useNow(POLL.minute));
  const query = reportQuery({ range, interval: String(HOUR), channel: '', groupBy: 'channel' });
  const report = useGet<ReportResponse>(system === undefined ? null : `/systems/${system.id}/reports/breaks?${query}`);
  return fillRate(useLatest(report.data));
}
