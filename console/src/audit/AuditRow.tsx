// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { AuditEntryResponse } from '../../../src/platform/audit/contract/auditContract.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { formatDateTimeSeconds } from '../format/time.ts';
import { AuditDetails } from './AuditDetails.tsx';
import { actorName, describeEntry } from './describeEntry.ts';
import { namedKind } from './namedRecords.ts';

const pages: Readonly<Record<string, string>> = { channel: '/channels', playlist: '/playlists' };

/** The record, with a link if it has a page. */
function RecordName({ record, name }: { readonly record: AuditEntryResponse['record']; readonly name: string }) {
  const page = pages[record.kind];
  if (page === undefined || record.id === undefined) return <strong>{name}</strong>;
  return <Link href={`${page}/${encodeURIComponent(record.id)}`}>{name}</Link>;
}

/** Who it was: e-mail address, which key or account, and from where. */
const Person = ({ actor, source }: Pick<AuditEntryResponse, 'actor' | 'source'>) => (
  <>
    {actorName(actor)}
    <br />
    <small>
      {actor.kind === 'cli'
        ? 'Command line'
        : actor.kind === 'key'
          ? `Key ${actor.name ?? ''} ${actor.hint ?? ''}…`
          : 'Console'}
      {source.address === undefined ? '' : `, ${source.address}`}
    </small>
  </>
);

export function AuditRow({ entry }: { readonly entry: AuditEntryResponse }) {
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
            <AuditDetails {...{ entry, name }} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
