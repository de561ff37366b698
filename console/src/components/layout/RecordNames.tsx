// SPDX-License-Identifier: Apache-2.0
import { type NamedKind, useRecordNames } from '../../api/recordNames.ts';

/** The names of records, separated by commas, with their ids in a tooltip. */
export function RecordNames({ kind, ids }: { readonly kind: NamedKind; readonly ids: readonly string[] }) {
  const nameOf = useRecordNames(kind, ids);
  return <span title={ids.join(', ')}>{ids.map(nameOf).join(', ')}</span>;
}
