// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import { onAlertEvent } from '../api/alertStream.ts';
import { showToast } from '../components/feedback/toastStore.ts';
import { useReadsAlerts } from './useAlerts.ts';

/** Shows new alerts on every page. */
export function useAlertToasts(): void {
  const isReadable = useReadsAlerts();
  useEffect(() => {
    if (!isReadable) return;
    return onAlertEvent(({ state, text }) => {
      if (state === 'firing') showToast({ text, tone: 'bad' });
    });
  }, [isReadable]);
}
