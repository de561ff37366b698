// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { plural } from '../format/numbers.ts';
import { formatDay, formatDuration, formatHourMinute } from '../format/time.ts';
import { localDate } from '../format/zonedTime.ts';
import { breaksOf, isGroup, type Shown } from './condense.ts';
import { BreakTimes, GroupTitles } from './ScheduleDetails.tsx';

type ScheduleListProps = {
  readonly shown: readonly Shown[];
  readonly from: number;
  readonly to: number;
  readonly now: number;
};

const PAGE = 60;

/** The schedule on a phone: a list that starts with what is on air, if the range contains it. */
export function ScheduleList({ shown: all, from, to, now }: ScheduleListProps) {
  const [count, setCount] = useState(PAGE);
  const [hasPast, setPast] = useState(false);
  const isNow = now >= from && now < to;
  const listed = isNow && !hasPast ? all.filter(({ endsAt }) => endsAt > now) : all;
  const shown = listed.slice(0, count);
  return (
    <>
      {isNow && !hasPast ? (
        <Button kind="quiet" isSmall onClick={() => setPast(true)}>
          Show earlier
        </Button>
      ) : null}
      <ol class="schedule-list">
        {shown.map((block, index) => {
          const date = localDate(block.startsAt);
          const before = shown[index - 1];
          const isNewDay = before === undefined || localDate(before.startsAt) !== date;
          const isOnAir = block.startsAt <= now && now < block.endsAt;
          return (
            <li key={block.startsAt} class={isOnAir ? 'on-air' : ''}>
              {isNewDay ? <h3 class="small muted">{formatDay(block.startsAt)}</h3> : null}
              <details>
                <summary>
                  <time>{isOnAir ? 'Now' : formatHourMinute(block.startsAt)}</time>
                  <span class="name ellipsis">{isGroup(block) ? plural(block.items, 'item') : block.name}</span>
                  <span class="small muted">
                    {formatDuration((block.endsAt - block.startsAt) / 1000)}
                    {breaksOf(block) === 0 ? '' : `, ${plural(breaksOf(block), 'break')}`}
                  </span>
                </summary>
                {isGroup(block) ? (
                  <GroupTitles group={block} />
                ) : (
                  <>
                    {block.url === undefined ? null : <p class="url small muted">{block.url}</p>}
                    <BreakTimes marks={block.marks} />
                  </>
                )}
              </details>
            </li>
          );
        })}
      </ol>
      {listed.length > count ? <Button onClick={() => setCount(count + PAGE)}>Show more</Button> : null}
    </>
  );
}
