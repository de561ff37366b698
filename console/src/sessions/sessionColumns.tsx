// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { isPreview } from '../../../src/ads/request/preview.ts';
import type { FoundSession } from '../../../src/http/contract/sessionContract.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import type { DataColumn } from '../components/table/columns.ts';
import { formatPercent, plural } from '../format/numbers.ts';
import { formatDateTime, formatDateTimeSeconds, formatRelativeTime } from '../format/time.ts';
import { breakStatuses } from './breakSummary.ts';
import { FillBar } from './FillBar.tsx';

const ID_LENGTH = 8;
const outcomeNames = ['filled', 'partial', 'empty'] as const;

/** The breaks of a session: those that match the search, or how many had which outcome. */
const Outcomes = ({ session: { matching, outcomes } }: { readonly session: FoundSession }) => (
  <div class="outcomes">
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
  </div>
);

/** A list of sessions: who watched, until when, and how their breaks were filled. */
export const sessionColumns = (nameOf: (channel: string) => string, now: number): DataColumn<FoundSession>[] => [
  {
    id: 'session',
    label: 'Session',
    shown: 'always',
    cell: (session) => (
      <>
        <Link href={`/sessions/${encodeURIComponent(session.id)}`} aria-label={session.id} title={session.id}>
          <code>{session.id.slice(0, ID_LENGTH)}</code>
        </Link>
        <small>{session.format.toUpperCase()}</small>
        {isPreview(session) ? <Badge tone="calm">Preview</Badge> : null}
        <small class="condensed">
          {session.fill === undefined ? 'No breaks' : `${formatPercent(session.fill)} fill`},{' '}
          {plural(session.breaks, 'break')}
        </small>
      </>
    ),
  },
  {
    id: 'channel',
    label: 'Channel',
    cell: ({ channel }) => <Link href={`/channels/${encodeURIComponent(channel)}`}>{nameOf(channel)}</Link>,
  },
  {
    id: 'seen',
    label: 'Last seen',
    cell: ({ state, lastSeenAt, openedAt }) =>
      state === 'active' ? (
        <>
          <Badge tone="good">Active</Badge>
          <small>Seen {formatRelativeTime(Math.min(0, Date.parse(lastSeenAt) - now))}</small>
        </>
      ) : (
        <>
          <time dateTime={lastSeenAt}>{formatDateTime(lastSeenAt)}</time>
          <small>Opened {formatDateTime(openedAt)}</small>
        </>
      ),
  },
  {
    id: 'fill',
    label: 'Fill',
    kind: 'wide',
    hint: 'Share of the time of breaks that ads filled',
    cell: ({ fill, breaks, ads }) => (
      <>
        <FillBar fill={fill} />
        <small>
          {plural(breaks, 'break')}, {plural(ads.shown, 'ad')}
        </small>
      </>
    ),
  },
  { id: 'breaks', label: 'Breaks', cell: (session) => <Outcomes session={session} /> },
  {
    id: 'viewer',
    label: 'Viewer',
    kind: 'wide',
    cell: ({ address, userAgent }) => (
      <div class="viewer">
        {address}
        <small class="ellipsis" title={userAgent}>
          {userAgent}
        </small>
      </div>
    ),
  },
];
