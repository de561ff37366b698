// SPDX-License-Identifier: Apache-2.0

import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { CursorPagination } from '../components/layout/Pagination.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { AuditRow } from './AuditRow.tsx';
import { type AuditFilters, auditPath, readFilters } from './auditFilters.ts';
import './audit.css';
import { useRecordNames } from '../api/recordNames.ts';
import { namedKind } from './describeEntry.ts';

const PAGE_SIZE = 25;
const columns: readonly Column[] = [
  { label: 'Time' },
  { label: 'Person', kind: 'wide' },
  { label: 'Change' },
  { label: 'Details', isHidden: true },
];

/** Who has changed what, newest first. The filters are in the URL. */
export function AuditPage() {
  const query = useSearch();
  const [, navigate] = useLocation();
  const filters = useMemo(() => readFilters(query), [query]);
  const pages = useCursorPages();
  const page = useGet('/audit', { query: givenOnly({ ...filters, cursor: pages.cursor, limit: PAGE_SIZE }) });
  const { data, next } = page;
  return (
    <>
      <PageHeader title="Audit log">
        <Button icon="refresh" onClick={page.reload}>
          Refresh
        </Button>
      </PageHeader>
      <AuditFilterBar filters={filters} onChange={(changed) => navigate(auditPath(changed), { replace: true })} />
      <LoadState of={page} />
      {data?.length === 0 ? (
        <EmptyState icon="audit" title={next === null ? 'No changes' : 'No changes on this page'}>
          <p>
            {next === null
              ? 'Changes appear here as soon as they are made.'
              : 'The newest entries do not match. Select Older to search further.'}
          </p>
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Table columns={columns}>
          {data.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </Table>
      ) : null}
      {data ? <CursorPagination pages={pages} next={next} /> : null}
    </>
  );
}

const kinds = [
  { value: '', label: 'All' },
  { value: 'channel', label: 'Channels' },
  { value: 'playlist', label: 'Playlists' },
  { value: 'system', label: 'Systems' },
  { value: 'asset', label: 'Creatives' },
  { value: 'key', label: 'Keys' },
  { value: 'alert rule', label: 'Alert rules' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'tenant', label: 'Tenants' },
];
const fields: readonly Filter[] = [
  { kind: 'choice', name: 'kind', label: 'Kind', options: kinds },
  { kind: 'text', name: 'actor', label: 'Person', placeholder: 'E-mail' },
  { kind: 'time', name: 'from', label: 'From' },
  { kind: 'time', name: 'to', label: 'To' },
];

type AuditFilterBarProps = { readonly filters: AuditFilters; onChange(filters: AuditFilters): void };

/** A record is a filter that only links set. */
function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const { id, kind } = filters;
  const named = namedKind(kind);
  const nameOf = useRecordNames(named ?? 'channels', named === undefined || id === '' ? [] : [id]);
  const cleared = { actor: '', kind: '', id: '', text: '', from: '', to: '' };
  return (
    <FilterBar
      search={{
        label: 'Search',
        value: filters.text,
        placeholder: '',
        onSearch: (text) => onChange({ ...filters, text }),
      }}
      filters={id === '' ? fields : [...fields, { kind: 'fixed', name: 'id', label: 'Record', text: nameOf(id) }]}
      values={filters}
      onChange={(name, value) => onChange({ ...filters, [name]: value, ...(name === 'kind' ? { id: '' } : {}) })}
      onClear={() => onChange(cleared)}
    />
  );
}
