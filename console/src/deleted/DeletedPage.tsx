// SPDX-License-Identifier: Apache-2.0

import type { DeletedResponse } from '../../../src/platform/deleted/contract/deletedContract.ts';
import { type ApiQuery, call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { formatDateTime, formatRelativeTime } from '../format/time.ts';
import { useOffset, useQueryState } from '../navigation/useQueryState.ts';

const PAGE_SIZE = 20;
const kinds = { playlist: 'Playlist', channel: 'Channel', 'ad source': 'Ad source', system: 'System' } as const;
const kindOptions = Object.entries(kinds).map(([value, name]) => ({ value, label: `${name}s` }));
const filters: readonly Filter[] = [{ kind: 'choice', name: 'kind', label: 'Type', options: kindOptions }];
const columns: readonly Column[] = [
  { label: 'Name' },
  { label: 'Type' },
  { label: 'Deleted', kind: 'wide' },
  { label: 'Restorable' },
  { label: 'Actions', isHidden: true },
];

function Row({ record, onRestored }: { readonly record: DeletedResponse; onRestored(): void }) {
  const { ref, kind, id, name, deletedAt, deletedBy, restorableUntil } = record;
  const restore = useAction(async () => {
    await call('POST', '/deleted/{ref}/restore', { path: { ref } });
    showToast({ text: `${name || id} restored.` });
    onRestored();
  });
  return (
    <tr>
      <td class="name">
        <strong>{name || id}</strong>
        {name ? <SecondLine>{id}</SecondLine> : null}
        <ErrorNotice error={restore.error} />
      </td>
      <td>{kinds[kind]}</td>
      <td class="wide">
        {formatDateTime(deletedAt)}
        <SecondLine>{deletedBy}</SecondLine>
      </td>
      <td>
        {formatRelativeTime(Date.parse(restorableUntil) - serverNow()).replace(/^in /, '')} left
        <SecondLine>Until {formatDateTime(restorableUntil)}</SecondLine>
      </td>
      <td>
        <div class="actions end">
          <Button isSmall action={restore}>
            Restore
          </Button>
        </div>
      </td>
    </tr>
  );
}

/** Records that were deleted within a day, and can be restored. */
export function DeletedPage() {
  const [{ kind }, change] = useQueryState({ kind: '', page: '1' });
  const { offset, setOffset } = useOffset(PAGE_SIZE);
  const query = givenOnly({ offset, limit: PAGE_SIZE, kind }) as ApiQuery<'/deleted'>;
  const deleted = useGet('/deleted', { query }, POLL.slow);
  const { data, total, reload } = deleted;
  return (
    <>
      <PageHeader title="Recently deleted" />
      <FilterBar
        filters={filters}
        values={{ kind }}
        onChange={(_, next) => change({ kind: next, page: '1' })}
        onClear={() => change({ kind: '', page: '1' })}
      />
      <LoadState of={deleted} />
      {data?.length === 0 ? (
        <EmptyState icon="trash" title="Nothing to restore">
          <p>Deleted playlists, channels, ad sources and systems can be restored here for 24 hours.</p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns}>
          {data.map((record) => (
            <Row key={record.ref} record={record} onRestored={reload} />
          ))}
        </Table>
      ) : null}
      <Pagination offset={offset} limit={PAGE_SIZE} total={total ?? 0} onChange={setOffset} />
    </>
  );
}
