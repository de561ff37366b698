// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { Icon } from '../components/icons/Icon.tsx';
import { plural } from '../format/numbers.ts';
import { useAlerts, useReadsAlerts } from './useAlerts.ts';
import './bell.css';
import { useEffect } from 'preact/hooks';
import { onAlertEvent } from '../api/alertStream.ts';
import { showToast } from '../components/feedback/Toasts.tsx';

export const useFiring = (): number => useAlerts().data?.filter(({ state }) => state === 'firing').length ?? 0;

/** How many alerts are firing, in the navigation. */
export const AlertCount = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span class="alert-count">
      {count}
      <span class="visually-hidden"> firing</span>
    </span>
  );

/** The same on narrow screens, where the navigation is closed. */
export const AlertBell = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <Link href="/alerts" class="alert-bell" aria-label={`${plural(count, 'alert')} firing`}>
      <Icon name="alert" />
      <span class="alert-count">{count}</span>
    </Link>
  );

/** Shows new alerts on every page. */
export function useAlertToasts(): void {
  const isReadable = useReadsAlerts();
  useEffect(() => {
    if (!isReadable) return;
    return onAlertEvent(({ state, text, silenced }) => {
      if (state === 'firing' && !silenced) showToast({ text, tone: 'bad' });
    });
  }, [isReadable]);
}
