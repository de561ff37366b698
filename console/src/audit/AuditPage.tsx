// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { AuditEntryResponse } from '../../../src/platform/audit/contract/auditContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { CursorPagination } from '../components/layout/CursorPagination.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { AuditFilterBar } from './AuditFilterBar.tsx';
import { AuditRow } from './AuditRow.tsx';
import { auditPath, auditRequest, readFilters } from './auditFilters.ts';
import './audit.css';

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
  const page = useGet<AuditEntryResponse[]>(auditRequest(filters, pages.cursor, PAGE_SIZE));
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
      {data ? <CursorPagination {...{ pages, next }} /> : null}
    </>
  );
}
