// SPDX-License-Identifier: Apache-2.0
import { type NamedKind, useRecordNames } from '../../api/recordNames.ts';

/** More names than this are counted. */
const FEW = 6;

/** The names of records, separated by commas, with all of them in a tooltip. */
export function RecordNames({ kind, ids }: { readonly kind: NamedKind; readonly ids: readonly string[] }) {
  const nameOf = useRecordNames(kind, ids);
  const names = ids.map(nameOf);
  const others = names.length > FEW ? ` and ${names.length - FEW} more` : '';
  return <span title={names.join(', ')}>{names.slice(0, FEW).join(', ') + others}</span>;
}
