// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import type { AlertResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { onAlertEvent } from '../api/alertStream.ts';
import { useMe } from '../api/me.ts';
import { type Loaded, POLL, useGet } from '../api/useGet.ts';

/** Events are about the whole tenant; alerts can be read for some channels. */
export const useReadsAlerts = (): boolean => useMe()?.channels === undefined;

/** Pending and firing alerts. Events update them at once; polling covers the time without a stream. */
export function useAlerts(): Loaded<AlertResponse[]> {
  const hasStream = useReadsAlerts();
  const alerts = useGet('/alerts', {}, POLL.minute);
  const { reload } = alerts;
  useEffect(() => (hasStream ? onAlertEvent(reload) : undefined), [hasStream, reload]);
  return alerts;
}
