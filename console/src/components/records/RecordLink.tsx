// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { type NamedKind, useRecordNames } from '../../api/recordNames.ts';

/** A link to a channel or a playlist, with its name. */
export function RecordLink({ kind, id }: { readonly kind: 'channels' | 'playlists'; readonly id: string }) {
  const nameOf = useRecordNames(kind, [id]);
  return (
    <Link href={`/${kind}/${encodeURIComponent(id)}`} title={id}>
      {nameOf(id)}
    </Link>
  );
}

/** The names of records, separated by commas. */
export function RecordNames({ kind, ids }: { readonly kind: NamedKind; readonly ids: readonly string[] }) {
  const nameOf = useRecordNames(kind, ids);
  return <span title={ids.join(', ')}>{ids.map(nameOf).join(', ')}</span>;
}
