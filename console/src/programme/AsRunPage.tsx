// SPDX-License-Identifier: Apache-2.0
import type { AsRunPage as AsRun } from '../../../src/platform/asRun/contract/asRunContract.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDuration, formatTimeOfDay } from '../format/time.ts';
import { addDays, fromLocalText, localDate } from '../format/zonedTime.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';
import { ProgrammeHeader } from './ProgrammeHeader.tsx';

const PAGE_SIZE = 50;
const columns: readonly Column[] = [{ label: 'Time' }, { label: 'Shown' }, { label: 'Duration', kind: 'right' }];
const kinds: Readonly<Record<AsRun['items'][number]['kind'], string>> = {
  programme: 'Programme',
  break: 'Break',
  filler: 'Filler',
  slate: 'Slate',
  insertedBreak: 'Inserted break',
  blackout: 'Blackout',
};

/** What was on air on a day, and how it differed from the plan. */
export function AsRunPage({ id }: { readonly id: string }) {
  const now = useNow(POLL.slow);
  const [{ date }, change] = useQueryState({ date: '', page: '1' });
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const day = fromLocalText(date) === undefined ? localDate(now) : date;
  const midnight = (text: string) => String(fromLocalText(text) ?? now);
  const query = { from: midnight(day), to: midnight(addDays(day, 1)), offset, limit: PAGE_SIZE };
  const log = useGet('/channels/{id}/as-run', { path: { id }, query }, POLL.slow);
  const { data } = log;
  return (
    <>
      <ProgrammeHeader id={id} current="as-run" />
      <section class="stack" aria-label="As run">
        <div class="row">
          <TextField label="Day" type="date" value={day} onInput={(next) => change({ date: next, page: '1' }, true)} />
        </div>
        <LoadState of={log} />
        {data?.items.length === 0 ? <p class="muted">Nothing was on air on this day.</p> : null}
        {data && data.items.length > 0 ? (
          <Table columns={columns} isFocusable>
            {data.items.map(({ id: key, from, to, isOnAir, kind, title, differences }) => (
              <tr key={key}>
                <td class="number">{formatTimeOfDay(from)}</td>
                <td class="name">
                  {title ?? kinds[kind]} {isOnAir ? <Badge tone="good">On air</Badge> : null}
                  <TextList class="small" texts={differences} />
                </td>
                <td class="right number">
                  {to === undefined ? '' : formatDuration((Date.parse(to) - Date.parse(from)) / 1000)}
                </td>
              </tr>
            ))}
          </Table>
        ) : null}
        {data ? <Pagination offset={offset} limit={PAGE_SIZE} total={data.total} onChange={setOffset} /> : null}
      </section>
    </>
  );
}
