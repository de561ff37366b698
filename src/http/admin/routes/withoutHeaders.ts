// SPDX-License-Identifier: Apache-2.0
// Ad requests as callers see them who may not see the credentials of channels: without the values of the headers that the channel
// adds, wherever a response repeats them.
import { longEnough, MASK, maskSecrets } from '../../../ads/request/maskSecrets.ts';
import type { AdSource } from '../../../channels/demand.ts';
import { type Fields, isFields } from '../../../channels/fieldsOf.ts';
import { includesScope } from '../../../platform/access/rules/scope.ts';
import type { Caller } from '../request/route.ts';

/** Calls `visit` with each object of headers in a response. */
function eachHeaders(value: unknown, visit: (headers: Fields) => void): void {
  if (Array.isArray(value)) for (const item of value) eachHeaders(item, visit);
  if (!isFields(value)) return;
  for (const [name, field] of Object.entries(value))
    if (name === 'headers' && isFields(field)) visit(field);
    else eachHeaders(field, visit);
}

function mapTexts(value: unknown, change: (text: string, name: string) => string, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, name));
  if (!isFields(value)) return value;
  const pathOf = (field: string) => (name === 'headers' ? `headers/${field.toLowerCase()}` : field);
  return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, mapTexts(one, change, pathOf(field))]));
}

/** @param source of the channel; without it, all headers in the response are those of a channel */
export function withoutHeaders<Json>(
  json: Json,
  { scope }: Pick<Caller, 'scope'>,
  source?: Pick<AdSource, 'headers'>,
): Json {
  if (includesScope(scope, 'manage')) return json;
  const names = source && new Set(Object.keys(source.headers ?? {}).map((name) => name.toLowerCase()));
  const isSecret = (name: string) => name !== 'content-type' && (names?.has(name) ?? true);
  const values = new Set(Object.values(source?.headers ?? {}));
  eachHeaders(json, (headers) => {
    for (const [name, value] of Object.entries(headers))
      if (typeof value === 'string' && isSecret(name.toLowerCase())) values.add(value);
  });
  values.delete(source?.headers?.['content-type'] ?? '');
  const secrets = longEnough([...values]);
  const change = (text: string, name: string) =>
    name.startsWith('headers/') && isSecret(name.slice(8)) ? MASK : maskSecrets(text, secrets);
  return mapTexts(json, change) as Json;
}
