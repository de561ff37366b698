// A JSON Merge Patch (RFC 7396) that turns one record into another: only what differs, null for what is gone.
type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns an empty object when both say the same */
export function mergePatch(before: Json, after: Json): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) {
    if (before[name] !== undefined && after[name] === undefined) patch[name] = null;
  }
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const was = before[name];
    if (isRecord(was) && isRecord(value)) {
      const inner = mergePatch(was, value);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (JSON.stringify(was) !== JSON.stringify(value)) patch[name] = value;
  }
  return patch;
}
