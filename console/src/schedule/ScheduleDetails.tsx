// SPDX-License-Identifier: Apache-2.0
import { Badge } from '../components/feedback/Badge.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { plural } from '../format/numbers.ts';
import { formatDateTime, formatDuration, formatTimeOfDay } from '../format/time.ts';
import { type Group, isGroup } from './condense.ts';
import type { Block, Mark } from './joinTitles.ts';
import type { Piece } from './packRow.ts';

const MAX_LISTED = 12;

const markName = ({ insertedId, isBlackout }: Mark): string =>
  isBlackout ? 'Blackout' : insertedId === undefined ? 'Break' : 'Inserted break';

/** The breaks of a title. */
export const BreakTimes = ({ marks }: { readonly marks: readonly Mark[] }) => (
  <ol class="break-times">
    {marks.slice(0, MAX_LISTED).map((mark) => (
      <li key={mark.startsAt}>
        <time>{formatTimeOfDay(mark.startsAt)}</time> {markName(mark)},{' '}
        {formatDuration((mark.endsAt - mark.startsAt) / 1000)}
        {mark.maxAds === undefined ? '' : `, up to ${plural(mark.maxAds, 'ad')}`}
      </li>
    ))}
    {marks.length > MAX_LISTED ? <li class="muted">{marks.length - MAX_LISTED} more</li> : null}
  </ol>
);

function BlockDetails({ block, now }: { readonly block: Block; readonly now: number }) {
  const isOnAir = block.startsAt <= now && now < block.endsAt;
  return (
    <>
      <h3 class="wraps">
        {block.name} {isOnAir ? <Badge tone="good">On air</Badge> : null}
      </h3>
      <dl class="facts">
        <Fact name="From">
          {block.isContinued ? 'before ' : ''}
          {formatDateTime(block.startsAt)}
        </Fact>
        <Fact name="To">{formatTimeOfDay(block.endsAt)}</Fact>
        <Fact name="Duration">{formatDuration((block.endsAt - block.startsAt) / 1000)}</Fact>
        <Fact name="Source" class="small">
          {block.url}
        </Fact>
      </dl>
      {block.marks.length === 0 ? null : <BreakTimes marks={block.marks} />}
    </>
  );
}

/** The first titles of a group. */
export const GroupTitles = ({ group: { items, first } }: { readonly group: Group }) => (
  <ol class="break-times">
    {first.map((block) => (
      <li key={block.startsAt}>
        <time>{formatTimeOfDay(block.startsAt)}</time> {block.name}
        {block.marks.length === 0 ? '' : `, ${plural(block.marks.length, 'break')}`}
      </li>
    ))}
    {items > first.length ? <li class="muted">{items - first.length} more</li> : null}
  </ol>
);

function GroupDetails({ group }: { readonly group: Group }) {
  const { items, breaks, startsAt, endsAt } = group;
  return (
    <>
      <h3>{plural(items, 'item')}</h3>
      <p class="small muted">
        {formatDateTime(startsAt)} to {formatTimeOfDay(endsAt)}, {plural(breaks, 'break')}
      </p>
      <GroupTitles group={group} />
    </>
  );
}

/** The piece of the schedule that has the focus or is pointed at. */
export const ScheduleDetails = ({ piece: { of }, now }: { readonly piece: Piece; readonly now: number }) => (
  <aside class="schedule-details" aria-label="Details">
    {isGroup(of) ? <GroupDetails group={of} /> : <BlockDetails block={of} now={now} />}
  </aside>
);
