// SPDX-License-Identifier: Apache-2.0
// The forms of UPIDs (ANSI/SCTE 35 §10.3.3.1, table 22), of which some are written as bytes.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError } from '../../../errors.ts';

const forms: ReadonlyMap<unknown, { readonly is: RegExp; readonly expected: string }> = new Map([
  ['adId', { is: /^[A-Za-z]{4}[A-Za-z0-9]{7,8}$/, expected: 'an Ad-ID of 11 or 12 characters, such as ABCD1234567H' }],
  [
    'eidr',
    {
      is: /^10\.\d{1,4}\/(?:[0-9A-Fa-f]{4}-){5}[0-9A-Za-z]$/,
      expected: 'an EIDR with its check character, such as 10.5240/7791-8534-2C23-9030-8610-5',
    },
  ],
  ['uri', { is: /^[A-Za-z][A-Za-z0-9+.-]*:./, expected: 'a URI with its scheme, such as urn:example:film-1' }],
  [
    'uuid',
    {
      is: /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
      expected: 'a UUID, such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    },
  ],
]);

export function upidFaults(upid: unknown, path: string): FieldError[] {
  const { type, value } = fieldsOf(upid);
  const form = forms.get(type);
  if (form === undefined || typeof value !== 'string' || form.is.test(value)) return [];
  return [fieldError('format', `${path}/value`, `must be ${form.expected}; got ${JSON.stringify(value.slice(0, 60))}`)];
}
