// SPDX-License-Identifier: Apache-2.0
// Composes entries of the audit log. Their size is bounded, whatever the size of the record.
import type { Millis } from '../time/units.ts';
import type { Actor, AuditEntry, AuditedChange, AuditOutcome, AuditSource, FieldChange } from './auditEntry.ts';
import { diffRecords } from './diffRecords.ts';
import { maskRecords } from './maskRecords.ts';

export const MAX_CHANGES = 100;
/** Characters of JSON of one version of a record. */
const MAX_RECORD = 32 * 1024;
/** Characters of JSON of one field, if the record is larger than that. */
const MAX_FIELD = 4 * 1024;
const MAX_TEXT = 500;
const MAX_FIELDS = 100;

/** What is the same in all entries of a request. */
export type AuditContext = {
  readonly id: string;
  readonly tenant: string;
  readonly at: Millis;
  readonly actor: Actor;
  readonly source: AuditSource;
  readonly operation: string;
};

const short = (text: string): string => text.slice(0, MAX_TEXT);

function outcomeOf({ before, after, outcome = 'done' }: AuditedChange, changes: readonly FieldChange[]): AuditOutcome {
  if (before === undefined) return after === undefined ? outcome : 'created';
  if (after === undefined) return 'deleted';
  return changes.length > 0 ? 'changed' : 'unchanged';
}

/** Of a large record, only fields that have changed remain, and long ones are replaced by their length. */
function bounded(record: object | undefined, isKept: (name: string) => boolean): object | undefined {
  if (record === undefined || JSON.stringify(record).length <= MAX_RECORD) return record;
  let left = MAX_RECORD;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => isKept(name))
      .slice(0, MAX_FIELDS)
      .map(([name, value]) => {
        const { length } = JSON.stringify(value) ?? '';
        if (length > MAX_FIELD || length > left) return [short(name), `[omitted, ${length} characters]`];
        left -= length;
        return [short(name), value];
      }),
  );
}

export function composeEntry(context: AuditContext, change: AuditedChange): AuditEntry {
  const { kind, id, name, before, after, details } = change;
  const all = before && after ? diffRecords(before, after) : [];
  const changes = all.slice(0, MAX_CHANGES).map((one) => ({ ...one, path: short(one.path) }));
  const changed = new Set(all.map(({ path }) => path.split('/')[1]));
  const isKept = (field: string): boolean =>
    !(before && after) || changed.has(field.replaceAll('~', '~0').replaceAll('/', '~1'));
  const masked = maskRecords(before, after);
  const [shownBefore, shownAfter] = [bounded(masked.before, isKept), bounded(masked.after, isKept)];
  return {
    ...context,
    record: {
      kind,
      ...(id === undefined ? {} : { id: short(id) }),
      ...(name === undefined || name === '' ? {} : { name: short(name) }),
    },
    outcome: outcomeOf(change, all),
    changes,
    ...(all.length > changes.length ? { moreChanges: all.length - changes.length } : {}),
    ...(shownBefore ? { before: shownBefore } : {}),
    ...(shownAfter ? { after: shownAfter } : {}),
    ...(details ? { details: bounded(maskRecords(details, undefined).before, () => true)! } : {}),
  };
}
