// SPDX-License-Identifier: Apache-2.0
// Records as callers see them who may not change them: without the credentials that they contain.
import { includesScope } from '../../../platform/access/rules/scope.ts';
import type { KeyedRoute } from '../request/route.ts';
import { without } from './record.ts';

/** @param names of the fields to leave out; `a.b` is a field of an object */
function hide(record: unknown, names: readonly string[]): unknown {
  const nested = names.filter((name) => name.includes('.')).map((name) => name.split('.') as [string, string]);
  const shown = without(record, names) as Record<string, unknown>;
  for (const [field, name] of nested) if (shown[field] !== undefined) shown[field] = without(shown[field], [name]);
  return shown;
}

/** The route, whose response contains these fields only for the scope `manage`. */
export const withoutSecrets = (route: KeyedRoute, names: readonly string[]): KeyedRoute => ({
  ...route,
  description: [
    route.description,
    `Without the scope \`manage\`, ${names.map((name) => `\`${name}\``).join(' and ')} ${names.length === 1 ? 'is' : 'are'} omitted.`,
  ]
    .filter((text) => text !== undefined)
    .join(' '),
  handle: async (request) => {
    const response = await route.handle(request);
    const { json } = response;
    if (json === undefined || includesScope(request.caller.scope, 'manage')) return response;
    return { ...response, json: Array.isArray(json) ? json.map((one) => hide(one, names)) : hide(json, names) };
  },
});
