// SPDX-License-Identifier: Apache-2.0
// A JSON Merge Patch (RFC 7396) that turns one record into another. It contains only what differs, and null for what is
// removed.
type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns an empty object when the records are equal */
export function patchBetween(before: Json, after: Json): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) {
    if (before[name] !== undefined && after[name] === undefined) patch[name] = null;
  }
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const previous = before[name];
    if (isRecord(previous) && isRecord(value)) {
      const inner = patchBetween(previous, value);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (JSON.stringify(previous) !== JSON.stringify(value)) patch[name] = value;
  }
  return patch;
}
