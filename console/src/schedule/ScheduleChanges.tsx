// SPDX-License-Identifier: Apache-2.0
import { Badge } from '../components/feedback/Badge.tsx';
import { formatDateTimeSeconds } from '../format/time.ts';
import type { TimelineRange } from './useTimeline.ts';

type ScheduleChangesProps = { readonly editions: TimelineRange['editions']; readonly now: number };

/** Edits that are not on air yet. */
export const ScheduleChanges = ({ editions, now }: ScheduleChangesProps) => (
  <>
    {editions
      .filter(({ kind, startsAt }) => kind === 'edit' && Date.parse(startsAt) > now)
      .map(({ number, startsAt }) => (
        <p key={number} class="schedule-change">
          <Badge tone="info">Edit</Badge> The edited playlist goes on air at {formatDateTimeSeconds(startsAt)}.
        </p>
      ))}
  </>
);
