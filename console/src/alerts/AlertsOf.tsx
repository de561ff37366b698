// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { AlertResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatDateTime } from '../format/time.ts';
import { type FiringAlert, factsOf, firingOf } from './alertGroups.ts';
import './bell.css';
import { useAlerts } from './useAlerts.ts';

type AlertsOfProps = {
  /** Ids of channels. */
  readonly channels: readonly string[];
  /** Only alerts of rules of this kind. */
  readonly kind?: FiringAlert['event']['rule']['kind'];
  /** One line, for cards. */
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
  if (own.length === 0) return null;
  if (isCompact)
    return (
      <p class="alert-line small">
        <Link href="/alerts">{own.length === 1 ? 'Alert' : 'Alerts'}</Link>:{' '}
        {[...new Set(own.map((alert) => alert.event.rule.name + stateOf(alert)))].join('; ')}
      </p>
    );
  return (
    <Notice tone={own.some(({ severity }) => severity === 'critical') ? 'bad' : 'warn'}>
      {own.map((alert) => (
        <p key={alert.id}>
          <Link href="/alerts">Alert</Link> <strong>{alert.event.rule.name}</strong> since {formatDateTime(alert.since)}
          {stateOf(alert)}. {asSentence(factsOf(alert))}
        </p>
      ))}
    </Notice>
  );
}
