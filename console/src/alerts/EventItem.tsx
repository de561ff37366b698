// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { AlertEventResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { formatDateTime } from '../format/time.ts';

const states = {
  firing: ['bad', 'Firing'],
  reminder: ['warn', 'Reminder'],
  resolved: ['good', 'Resolved'],
} as const;

/** One event: what happened on which channel, and where to look. */
export function EventItem({ event }: { readonly event: AlertEventResponse }) {
  const { state, text, at, channel, rule, silenced } = event;
  /** The id of a channel that was deleted. */
  const present = useRecordNames('channels', [channel.id])(channel.id);
  return (
    <li class="card">
      <div class="row">
        <StatusBadge status={states[state]} />
        {silenced ? <Badge tone="calm">Silenced</Badge> : null}
      </div>
      <div>
        <p>{text}</p>
        <p class="small muted">
          {formatDateTime(at)}, {rule.name}
        </p>
      </div>
      <Link class="small" href={`/channels/${encodeURIComponent(channel.id)}`}>
        {present === channel.id ? channel.name || present : present}
      </Link>
    </li>
  );
}
