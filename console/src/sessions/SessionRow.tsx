// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { isPreview } from '../../../src/ads/request/preview.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { plural } from '../format/numbers.ts';
import { formatDateTime, formatDateTimeSeconds, formatRelativeTime } from '../format/time.ts';
import { breakStatuses } from './breakSummary.ts';
import { FillBar } from './FillBar.tsx';

type SessionRowProps = {
  readonly session: FoundSession;
  readonly channelName: string;
  readonly now: number;
};

const ID_LENGTH = 8;
const outcomeNames = ['filled', 'partial', 'empty'] as const;

/** A session in a list: who watched, until when, and how its breaks were filled. */
export function SessionRow({ session, channelName, now }: SessionRowProps) {
  const { id, channel, state, format, openedAt, lastSeenAt, address, userAgent, outcomes, ads, fill, matching } =
    session;
  const isActive = state === 'active';
  return (
    <tr>
      <td>
        <Link href={`/sessions/${encodeURIComponent(id)}`} aria-label={id} title={id}>
          <code>{id.slice(0, ID_LENGTH)}</code>
        </Link>
        <br />
        <span class="small muted">{format.toUpperCase()}</span>
        {isPreview(session) ? <Badge tone="calm">Preview</Badge> : null}
      </td>
      <td>
        <Link href={`/channels/${encodeURIComponent(channel)}`}>{channelName}</Link>
      </td>
      <td>
        {isActive ? <Badge tone="good">Active</Badge> : <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt)}</time>}
        <br />
        <span class="small muted">
          {isActive
            ? `Seen ${formatRelativeTime(Math.min(0, Date.parse(lastSeenAt) - now))}`
            : `Opened ${formatDateTime(openedAt)}`}
        </span>
      </td>
      <td>
        <FillBar fill={fill} />
        <span class="small muted">
          {plural(session.breaks, 'break')}, {plural(ads.shown, 'ad')}
        </span>
      </td>
      <td class="outcomes">
        {matching === undefined
          ? outcomeNames
              .filter((name) => outcomes[name] > 0)
              .map((name) => {
                const [tone, label] = breakStatuses[name];
                return (
                  <Badge key={name} tone={tone}>
                    {outcomes[name]} {label.toLowerCase()}
                  </Badge>
                );
              })
          : matching.map((one) => (
              <span key={one.id} class="small">
                <StatusBadge status={breakStatuses[one.outcome]} />{' '}
                <time dateTime={one.startsAt}>{formatDateTimeSeconds(one.startsAt)}</time>
                {one.reason === undefined ? null : <code> {one.reason}</code>}
              </span>
            ))}
      </td>
      <td class="viewer">
        {address}
        <br />
        <span class="small muted" title={userAgent}>
          {userAgent}
        </span>
      </td>
    </tr>
  );
}
