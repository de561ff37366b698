// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { type Filter, FilterBar } from '../components/filters/FilterBar.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { CursorPagination } from '../components/layout/Pagination.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { useCursorPages } from '../navigation/useCursorPages.ts';
import { type AuditFilters, auditPath, noFilters, readFilters } from './auditFilters.ts';
import './audit.css';
import type { AuditEntryResponse } from '../../../src/platform/audit/contract/auditContract.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { Fact } from '../components/layout/Facts.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { formatDateTimeSeconds } from '../format/time.ts';
import { actorName, changeRows, describeEntry, idsInValue, namedField, namedKind } from './describeEntry.ts';

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
  { value: 'channel', label: 'Channels' },
  { value: 'playlist', label: 'Playlists' },
  { value: 'ad source', label: 'Ad sources' },
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
      onClear={() => onChange(noFilters)}
    />
  );
}

const recordPages: Readonly<Record<string, string>> = {
  channel: '/channels',
  playlist: '/playlists',
  'ad source': '/ad-sources',
};

/** The record, with a link if it has a page. */
function RecordName({ record, name }: { readonly record: AuditEntryResponse['record']; readonly name: string }) {
  const page = recordPages[record.kind];
  if (page === undefined || record.id === undefined) return <strong>{name}</strong>;
  return <Link href={`${page}/${encodeURIComponent(record.id)}`}>{name}</Link>;
}

/** Who it was: e-mail address, which key or account, and from where. */
const Person = ({ actor, source }: Pick<AuditEntryResponse, 'actor' | 'source'>) => (
  <>
    {actorName(actor)}
    <SecondLine>
      {actor.kind === 'cli'
        ? 'Command line'
        : actor.kind === 'key'
          ? `Key ${actor.name ?? ''} ${actor.hint ?? ''}…`
          : 'Console'}
      {source.address === undefined ? '' : `, ${source.address}`}
    </SecondLine>
  </>
);

function AuditRow({ entry }: { readonly entry: AuditEntryResponse }) {
  const [isOpen, setOpen] = useState(false);
  const { action, name: given } = describeEntry(entry);
  const { kind, id: recordId = '' } = entry.record;
  const named = namedKind(kind);
  const nameOf = useRecordNames(named ?? 'channels', named === undefined ? [] : [recordId]);
  // The name at that time, or the present one of a record that had none.
  const name = given === recordId && named !== undefined ? nameOf(recordId) : given;
  const id = `entry-${entry.id}`;
  return (
    <>
      <tr>
        <td class="at">{formatDateTimeSeconds(entry.at)}</td>
        <td class="name wide">
          <Person actor={entry.actor} source={entry.source} />
        </td>
        <td class="name">
          {action} <RecordName record={entry.record} name={name} />
          <br />
          <small class="narrow">{actorName(entry.actor)}</small>
        </td>
        <td class="right">
          <button
            type="button"
            class="button quiet small"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
            <span class="visually-hidden">
              {' '}
              details of {action} {name}
            </span>
          </button>
        </td>
      </tr>
      {isOpen ? (
        <tr id={id} class="details">
          <td colSpan={4}>
            <AuditDetails entry={entry} name={name} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

type ValueProps = { readonly field: string; readonly text: string; readonly kind: 'removed' | 'added' };

/** A value as it is stored, with the names of the records that it refers to. */
function Value({ field, text, kind }: ValueProps) {
  const named = namedField(field);
  const ids = named === undefined ? [] : idsInValue(text);
  if (text === '') return <span class="muted">–</span>;
  return (
    <>
      {named === undefined || ids.length === 0 ? null : <RecordNames kind={named} ids={ids} />}
      <pre class={kind}>{text}</pre>
    </>
  );
}

/** The fields before and after a change, and where the request came from. @param name of the record */
function AuditDetails({ entry, name }: { readonly entry: AuditEntryResponse; readonly name: string }) {
  const rows = changeRows(entry);
  const { source, operation, moreChanges, record } = entry;
  return (
    <div class="audit-details">
      {rows.length === 0 ? <p class="muted">No field has changed.</p> : null}
      {rows.length > 0 ? (
        <dl class="diff stack tight">
          {rows.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <span class="visually-hidden">Before: </span>
                <Value field={field} text={before} kind="removed" />
              </dd>
              <dd>
                <span class="visually-hidden">After: </span>
                <Value field={field} text={after} kind="added" />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {moreChanges === undefined ? null : <p class="small muted">{moreChanges} more fields have changed.</p>}
      <dl class="facts">
        <Fact name="Record">
          {record.kind} {name} {record.id === undefined || record.id === name ? null : <code>{record.id}</code>}
        </Fact>
        <Fact name="Operation">
          <code>{operation}</code>
        </Fact>
        <Fact name="Address">{source.address}</Fact>
        <Fact name="Program">{source.userAgent}</Fact>
        <Fact name="Request">{source.requestId && <code>{source.requestId}</code>}</Fact>
      </dl>
    </div>
  );
}
