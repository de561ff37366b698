// SPDX-License-Identifier: Apache-2.0
// Composes entries of the audit log. Their size is bounded, whatever the size of the record.

import { isSecretName, maskUrl } from '../../../ads/request/maskSecrets.ts';
import { fieldsOf, isFields } from '../../../channels/fieldsOf.ts';
import { pathTo } from '../../../errors.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { AuditEntry, AuditedChange, FieldChange } from './auditEntry.ts';

export const MAX_CHANGES = 100;
/** Characters of JSON of one version of a record. */
const MAX_RECORD = 32 * 1024;
/** Characters of JSON of one field, if the record is larger than that. */
const MAX_FIELD = 4 * 1024;
const MAX_TEXT = 500;
const MAX_FIELDS = 100;

/** What is the same in all entries of a request. */
export type AuditContext = Pick<AuditEntry, 'id' | 'tenant' | 'at' | 'actor' | 'source' | 'operation'>;

const short = (text: string): string => text.slice(0, MAX_TEXT);

function outcomeOf(
  { before, after, outcome = 'done' }: AuditedChange,
  changes: readonly FieldChange[],
): AuditEntry['outcome'] {
  if (before === undefined) return after === undefined ? outcome : 'created';
  if (after === undefined) return 'deleted';
  return changes.length > 0 ? 'changed' : 'unchanged';
}

/** Shortens a large record to the fields that have changed. Long fields are replaced by their length. */
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
  const changed = new Set(all.map(({ path }) => `/${path.split('/')[1]}`));
  const isKept = (field: string): boolean => !(before && after) || changed.has(pathTo('', field));
  const masked = maskRecords(before, after);
  return {
    ...context,
    record: { kind, ...withoutUndefined({ id: id && short(id), name: name ? short(name) : undefined }) },
    outcome: outcomeOf(change, all),
    changes,
    ...(all.length > changes.length ? { moreChanges: all.length - changes.length } : {}),
    ...withoutUndefined({
      before: bounded(masked.before, isKept),
      after: bounded(masked.after, isKept),
      details: bounded(maskRecords(details, undefined).before, () => true),
    }),
  };
}

// Replaces secrets of records by markers that state whether the secret has changed, and nothing else about it.

export const SECRET = '[secret]';
export const CHANGED_SECRET = '[secret, changed]';

/** All values below fields with these names are secrets: names of headers and settings vary. */
const secretParents = new Set(['headers', 'settings', 'secrets']);

/** @param other the same field of the other version; undefined if there is none */
function mask(value: unknown, other: unknown, isSecret: boolean, hasOther: boolean): unknown {
  if (isFields(value)) {
    const others = fieldsOf(other);
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const isBelow = isSecret || (isSecretName(name) && !isFields(field));
        return [name, mask(field, others[name], isBelow || secretParents.has(name), hasOther)];
      }),
    );
  }
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    return value.map((item, index) => mask(item, others[index], isSecret, hasOther));
  }
  const marker = hasOther && !isSame(value, other) ? CHANGED_SECRET : SECRET;
  if (isSecret) return value === undefined ? undefined : marker;
  if (typeof value !== 'string' || !/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return value;
  const masked = maskUrl(value);
  // Two URLs that differ in a secret only must not look the same.
  const isHidden = hasOther && typeof other === 'string' && value !== other && masked === maskUrl(other);
  return isHidden ? `${masked} ${CHANGED_SECRET}` : masked;
}

/** Both versions without secrets. The later one states which secrets have changed. */
export function maskRecords(before: object | undefined, after: object | undefined) {
  return {
    before: before && (mask(before, undefined, false, false) as object),
    after: after && (mask(after, before, false, before !== undefined) as object),
  };
}

// Which fields of a record differ from those of another version, by JSON Pointer (RFC 6901).

/** Compares values as JSON. Fields that are undefined are absent. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isFields(one) || !isFields(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

/** Items that were inserted or removed in one place are listed one by one; otherwise the array itself has changed. */
function diffArrays(before: readonly unknown[], after: readonly unknown[], path: string): FieldChange[] {
  if (before.length === after.length)
    return before.flatMap((item, index) => diff(item, after[index], pathTo(path, index)));
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  let start = 0;
  while (start < shorter.length && isSame(shorter[start], longer[start])) start += 1;
  let end = 0;
  while (end < shorter.length - start && isSame(shorter.at(-1 - end), longer.at(-1 - end))) end += 1;
  if (start + end < shorter.length) return [{ path, change: 'changed' }];
  const change = before.length < after.length ? 'added' : 'removed';
  return longer.slice(start, longer.length - end).map((_, index) => ({ path: pathTo(path, start + index), change }));
}

function diff(before: unknown, after: unknown, path: string): FieldChange[] {
  if (isSame(before, after)) return [];
  if (before === undefined) return [{ path, change: 'added' }];
  if (after === undefined) return [{ path, change: 'removed' }];
  if (Array.isArray(before) && Array.isArray(after)) return diffArrays(before, after, path);
  if (!isFields(before) || !isFields(after)) return [{ path, change: 'changed' }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => diff(before[name], after[name], pathTo(path, name)));
}

/** The changes from one record to another, in the order of the fields. */
export const diffRecords = (before: object, after: object): FieldChange[] => diff(before, after, '');
