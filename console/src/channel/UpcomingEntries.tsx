// SPDX-License-Identifier: Apache-2.0
import type { TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { useNow } from '../api/useNow.ts';
import { entryKinds, entryName } from '../channels/entryName.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';

const MAX_ENTRIES = 6;

/** The current entry of the schedule and those that follow, and changes of the schedule that are not on air yet. */
export function UpcomingEntries({ timeline }: { readonly timeline: TimelineResponse }) {
  const now = useNow();
  const entries = timeline.entries
    .filter(({ startsAt, duration }) => Date.parse(startsAt) + duration * 1000 > now)
    .slice(0, MAX_ENTRIES);
  const changes = (timeline.editions ?? []).filter(
    ({ kind, startsAt }) => kind === 'edit' && Date.parse(startsAt) > now,
  );
  return (
    <>
      {changes.map(({ number, startsAt }) => (
        <p key={number} class="schedule-change">
          <Badge tone="info">Schedule change</Badge> The edited playlist goes on air at {formatTimeOfDay(startsAt)}.
        </p>
      ))}
      <ol class="upcoming">
        {entries.map((entry) => (
          <li key={entry.startsAt}>
            <time dateTime={entry.startsAt}>
              {Date.parse(entry.startsAt) <= now ? 'Now' : formatTimeOfDay(entry.startsAt)}
            </time>
            <StatusBadge status={entryKinds[entry.kind]} />
            <span class="name">{entryName(entry)}</span>
            <span class="small muted">
              {formatDuration(entry.duration)}
              {entry.maxAds === undefined ? '' : `, up to ${plural(entry.maxAds, 'ad')}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
