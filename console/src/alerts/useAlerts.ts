// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import type { AlertResponse } from '../../../src/http/contract/alertContract.ts';
import { onAlertEvent } from '../api/alertStream.ts';
import { POLL } from '../api/pollIntervals.ts';
import { type Loaded, useGet } from '../api/useGet.ts';

/** Pending and firing alerts. Events update them at once; polling covers the time without a stream. */
export function useAlerts(): Loaded<AlertResponse[]> {
  const alerts = useGet<AlertResponse[]>('/alerts', POLL.minute);
  const { reload } = alerts;
  useEffect(() => onAlertEvent(reload), [reload]);
  return alerts;
}
