// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { AlertResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { formatDateTime } from '../format/time.ts';
import { type FiringAlert, firingOf } from './alertGroups.ts';
import './bell.css';
import { useAlerts } from './useAlerts.ts';

type AlertsOfProps = {
  /** Ids of channels. */
  readonly channels: readonly string[];
  /** Only alerts of rules of this kind. */
  readonly kind?: FiringAlert['event']['rule']['kind'];
  /** A line each, for cards. */
  readonly isCompact?: boolean;
};

function stateOf({ acknowledged, silenced }: AlertResponse): string {
  if (silenced !== undefined) return `, silenced until ${formatDateTime(silenced.until)}`;
  return acknowledged === undefined ? '' : `, acknowledged by ${acknowledged.by}`;
}

/** The alerts that fire about what is shown, there where it is shown. */
export function AlertsOf({ channels, kind, isCompact }: AlertsOfProps) {
  const own = firingOf(useAlerts().data ?? []).filter(
    ({ channel, event }) => channels.includes(channel) && (kind === undefined || event.rule.kind === kind),
  );
  return (
    <>
      {own.map((alert) =>
        isCompact ? (
          <p key={alert.id} class="alert-line small">
            <Link href="/alerts">Alert</Link>: {alert.event.rule.name}
            {stateOf(alert)}
          </p>
        ) : (
          <Notice key={alert.id} tone={alert.severity === 'critical' ? 'bad' : 'warn'}>
            <Link href="/alerts">Alert</Link> since {formatDateTime(alert.since)}
            {stateOf(alert)}: {alert.event.text}
          </Notice>
        ),
      )}
    </>
  );
}
