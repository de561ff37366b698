// SPDX-License-Identifier: Apache-2.0
// Faults of a channel body that a JSON schema cannot express. Accepts any value, as playlistFaults does.
import { type FieldError, fieldError } from '../errors.ts';
import { fieldsOf } from './fieldsOf.ts';
import { urlFaults } from './urlFaults.ts';

// RFC 9110 §5.6.2 (token) and §5.5 (field values). Headers that belong to the connection are reserved.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this rejects
const headerValue = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
const reserved = new Set(['connection', 'content-length', 'host', 'keep-alive', 'te', 'transfer-encoding', 'upgrade']);

const pointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function headerFaults(headers: unknown): FieldError[] {
  return Object.entries(fieldsOf(headers)).flatMap(([name, value]) => {
    const path = `/adSource/headers/${pointer(name)}`;
    if (!headerName.test(name)) return [fieldError('header', path, 'must be a valid header name')];
    if (reserved.has(name.toLowerCase()))
      return [fieldError('header', path, 'must not be set: the connection sets this header')];
    if (typeof value === 'string' && !headerValue.test(value))
      return [fieldError('header', path, 'must not contain control characters')];
    return [];
  });
}

/** @param body the request body, of any type */
export function channelFaults(body: unknown): FieldError[] {
  const { adSource, adSlateManifestUrl, bumpers } = fieldsOf(body);
  const source = fieldsOf(adSource);
  const slate = adSlateManifestUrl === '' ? [] : urlFaults(adSlateManifestUrl, '/adSlateManifestUrl');
  const { intro, outro } = fieldsOf(bumpers);
  return [
    ...slate,
    ...urlFaults(intro, '/bumpers/intro'),
    ...urlFaults(outro, '/bumpers/outro'),
    ...urlFaults(source.url, '/adSource/url'),
    ...headerFaults(source.headers),
  ];
}
