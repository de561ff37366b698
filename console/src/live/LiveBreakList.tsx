// SPDX-License-Identifier: Apache-2.0
import type { LiveBreaks } from '../../../src/http/liveContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDateTimeSeconds, formatDuration } from '../logic/format/time.ts';

const columns: readonly Column[] = [{ label: 'Start' }, { label: 'Duration' }, { label: 'Marker', kind: 'wide' }];
const MAX_WARNINGS = 5;

type Break = LiveBreaks['items'][number];

function durationOf({ startsAt, endsAt, duration }: Break): string {
  if (endsAt !== undefined) return formatDuration((Date.parse(endsAt) - Date.parse(startsAt)) / 1000);
  return duration === undefined ? 'Unknown' : formatDuration(duration);
}

/** The breaks that were found in the origins of a live channel. */
export function LiveBreakList({ channelId }: { readonly channelId: string }) {
  const path = `/channels/${encodeURIComponent(channelId)}/breaks`;
  const { data, error } = useGet<LiveBreaks>(path, POLL.normal);
  const warnings = data?.warnings.slice(0, MAX_WARNINGS) ?? [];
  return (
    <section class="stack tight">
      <h2>Breaks</h2>
      <ErrorNotice error={error} />
      {data && data.items.length === 0 ? <p class="muted">No breaks yet.</p> : null}
      {data && data.items.length > 0 ? (
        <Table columns={columns} isFocusable>
          {data.items.map((each) => (
            <tr key={`${each.origin} ${each.id}`}>
              <td>{formatDateTimeSeconds(each.startsAt)}</td>
              <td>{durationOf(each)}</td>
              <td class="wide">
                <code>{each.raw}</code>
                {each.warning ? <p class="small">{each.warning}</p> : null}
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
      {warnings.length > 0 ? (
        <Notice tone="warn">
          <ul>
            {warnings.map(({ origin, line, text, at }) => (
              <li key={`${origin} ${line} ${at} ${text}`}>
                {formatDateTimeSeconds(at)}, line {line}: {text}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </section>
  );
}
