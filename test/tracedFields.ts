// SPDX-License-Identifier: Apache-2.0
// The fields of a session's trace: as documented in docs/ads.md, and as found in a response.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function documentedFields(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/ads.md'), 'utf8');
  const section = page.slice(page.indexOf('## The trace'));
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field]) => field!);
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
