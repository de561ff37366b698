// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { CursorPagination } from '../components/layout/CursorPagination.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { AuditRow } from './AuditRow.tsx';
import { type AuditFilters, auditPath, readFilters } from './auditFilters.ts';
import './audit.css';
import { useRecordNames } from '../api/recordNames.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fromLocalText, toLocal } from '../format/zonedTime.ts';
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
/** Milliseconds after the last key press. */
const TYPING_MS = 300;

type AuditFilterBarProps = { readonly filters: AuditFilters; onChange(filters: AuditFilters): void };

/** Changes of text are applied after a pause. */
function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const [draft, setDraft] = useState(filters);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => setDraft(filters), [filters]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (part: Partial<AuditFilters>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), TYPING_MS);
  };
  const local = (iso: string) => (iso === '' ? '' : toLocal(Date.parse(iso)));
  const setTime = (name: 'from' | 'to') => (text: string) => {
    const time = fromLocalText(text);
    if (time !== undefined || text === '') type({ [name]: time === undefined ? '' : new Date(time).toISOString() });
  };
  const named = namedKind(filters.kind);
  const nameOf = useRecordNames(named ?? 'channels', named === undefined || filters.id === '' ? [] : [filters.id]);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const cleared = { actor: '', kind: '', id: '', text: '', from: '', to: '' };
  return (
    <div class="audit-filters">
      <TextField label="Search" type="search" value={draft.text} onInput={(text) => type({ text })} />
      <SelectField
        label="Kind"
        value={filters.kind}
        options={kinds}
        onChange={(kind) => onChange({ ...draft, kind, id: '' })}
      />
      <TextField label="Person" value={draft.actor} placeholder="E-mail" onInput={(actor) => type({ actor })} />
      <TextField label="From" type="datetime-local" value={local(draft.from)} onInput={setTime('from')} />
      <TextField label="To" type="datetime-local" value={local(draft.to)} onInput={setTime('to')} />
      {filters.id === '' ? null : <TextField label="Record" value={nameOf(filters.id)} isReadOnly onInput={() => {}} />}
      {isFiltered ? <Button onClick={() => onChange(cleared)}>Clear filters</Button> : null}
    </div>
  );
}
