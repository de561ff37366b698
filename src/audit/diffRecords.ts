// SPDX-License-Identifier: Apache-2.0
// Which fields of a record differ from those of another version, by JSON Pointer (RFC 6901).
import type { FieldChange } from './auditEntry.ts';

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const pointer = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Compares values as JSON. Fields that are undefined are absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

/** Items that were inserted or removed in one place are listed one by one; otherwise the array itself has changed. */
function diffArrays(before: readonly unknown[], after: readonly unknown[], path: string): FieldChange[] {
  if (before.length === after.length)
    return before.flatMap((item, index) => diff(item, after[index], pointer(path, index)));
  const [shorter, longer] = before.length < after.length ? [before, after] : [after, before];
  let start = 0;
  while (start < shorter.length && isSame(shorter[start], longer[start])) start += 1;
  let end = 0;
  while (end < shorter.length - start && isSame(shorter.at(-1 - end), longer.at(-1 - end))) end += 1;
  if (start + end < shorter.length) return [{ path, change: 'changed' }];
  const change = before.length < after.length ? 'added' : 'removed';
  return longer.slice(start, longer.length - end).map((_, index) => ({ path: pointer(path, start + index), change }));
}

function diff(before: unknown, after: unknown, path: string): FieldChange[] {
  if (isSame(before, after)) return [];
  if (before === undefined) return [{ path, change: 'added' }];
  if (after === undefined) return [{ path, change: 'removed' }];
  if (Array.isArray(before) && Array.isArray(after)) return diffArrays(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ path, change: 'changed' }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => diff(before[name], after[name], pointer(path, name)));
}

/** In the order of the fields. */
export const diffRecords = (before: object, after: object): FieldChange[] => diff(before, after, '');
