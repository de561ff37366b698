// SPDX-License-Identifier: Apache-2.0
// The fields of a session's trace: as documented in docs/ads.md, and as found in a response.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function documentedFields(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/ads.md'), 'utf8');
  const section = page.slice(page.indexOf('## The trace'));
  const fields: string[] = [];
  // `X.*`, as `Y`: has the fields that the table lists for Y.
  for (const [, field, of] of section.matchAll(/^\| `([^`]+)` \|(?: as `([^`]+)`)?/gm)) {
    const inner = fields.filter((one) => one.startsWith(`${of}.`)).map((one) => one.slice(of!.length));
    fields.push(...(field!.endsWith('.*') ? inner.map((name) => field!.slice(0, -2) + name) : [field!]));
  }
  return fields;
}

/** The paths of all leaves of a trace, each once. */
export function tracedFields(trace: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`);
    else if (typeof value !== 'object' || value === null || path === 'parameters') found.add(path);
    else for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(trace, '');
  return [...found];
}
