// SPDX-License-Identifier: Apache-2.0
import type { AuditEntryResponse } from '../../../src/http/contract/auditContract.ts';
import { changeRows } from '../logic/audit/describeEntry.ts';

const Value = ({ text, kind }: { readonly text: string; readonly kind: 'removed' | 'added' }) =>
  text === '' ? <span class="muted">–</span> : <pre class={kind}>{text}</pre>;

/** The fields before and after a change, and where the request came from. */
export function AuditDetails({ entry }: { readonly entry: AuditEntryResponse }) {
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
                <Value text={before} kind="removed" />
              </dd>
              <dd>
                <span class="visually-hidden">After: </span>
                <Value text={after} kind="added" />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {moreChanges === undefined ? null : <p class="small muted">{moreChanges} more fields have changed.</p>}
      <dl class="facts">
        <dt>Record</dt>
        <dd>
          {record.kind} <code>{record.id}</code>
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
