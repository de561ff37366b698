// SPDX-License-Identifier: Apache-2.0
import type { AuditEntryResponse } from '../../../src/platform/audit/contract/auditContract.ts';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { changeRows } from './describeEntry.ts';
import { idsInValue, namedField } from './namedRecords.ts';

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

/** The fields before and after a change, and where the request came from. */
/** @param name of the record */
export function AuditDetails({ entry, name }: { readonly entry: AuditEntryResponse; readonly name: string }) {
  const rows = changeRows(entry);
  const { source, operation, moreChanges, record } = entry;
  return (
    <div class="audit-details">
      {rows.length === 0 ? <p class="muted">No field has changed.</p> : null}
      {rows.length > 0 ? (
        <dl class="diff">
          {rows.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <span class="visually-hidden">Before: </span>
                <Value {...{ field }} text={before} kind="removed" />
              </dd>
              <dd>
                <span class="visually-hidden">After: </span>
                <Value {...{ field }} text={after} kind="added" />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {moreChanges === undefined ? null : <p class="small muted">{moreChanges} more fields have changed.</p>}
      <dl class="facts">
        <dt>Record</dt>
        <dd>
          {record.kind} {name} {record.id === undefined || record.id === name ? null : <code>{record.id}</code>}
        </dd>
        <dt>Operation</dt>
        <dd>
          <code>{operation}</code>
        </dd>
        {source.address === undefined ? null : (
          <>
            <dt>Address</dt>
            <dd>{source.address}</dd>
          </>
        )}
        {source.userAgent === undefined ? null : (
          <>
            <dt>Program</dt>
            <dd>{source.userAgent}</dd>
          </>
        )}
        {source.requestId === undefined ? null : (
          <>
            <dt>Request</dt>
            <dd>
              <code>{source.requestId}</code>
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}
