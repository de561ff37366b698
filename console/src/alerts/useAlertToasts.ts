// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import { onAlertEvent } from '../api/alertStream.ts';
import { showToast } from '../components/feedback/toastStore.ts';

/** Shows new alerts on every page. */
export function useAlertToasts(): void {
  useEffect(
    () =>
      onAlertEvent(({ state, text }) => {
        if (state === 'firing') showToast({ text, tone: 'bad' });
      }),
    [],
  );
}
