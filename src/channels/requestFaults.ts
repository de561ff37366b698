// SPDX-License-Identifier: Apache-2.0
// Faults of what configures requests to others: headers and hosts. Values of other types are reported by schemas.
import { type FieldError, fieldError, pathTo } from '../errors.ts';
import { fieldsOf } from './fieldsOf.ts';

// RFC 9110 §5.6.2 (token) and §5.5 (field values). Headers that belong to the connection are reserved.
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this rejects
const headerValue = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
const reserved = new Set(['connection', 'content-length', 'host', 'keep-alive', 'te', 'transfer-encoding', 'upgrade']);

/** @param headers of any type @param at their path */
export function headerFaults(headers: unknown, at: string): FieldError[] {
  return Object.entries(fieldsOf(headers)).flatMap(([name, value]) => {
    const path = pathTo(at, name);
    if (!headerName.test(name)) return [fieldError('header', path, 'must be a valid header name')];
    if (reserved.has(name.toLowerCase()))
      return [fieldError('header', path, 'must not be set: the connection sets this header')];
    if (typeof value === 'string' && !headerValue.test(value))
      return [fieldError('header', path, 'must not contain control characters')];
    return [];
  });
}

// RFC 1123 §2.1: letters, digits and hyphens. Underscores occur in the names of containers.
const hostName =
  '(?=[^:]{1,253}(?::|$))[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*';
const host = new RegExp(`^(?:(?:${hostName}|\\[[0-9a-f:.]{2,45}\\])(?::[1-9][0-9]{0,4})?|\\*\\.${hostName})$`, 'i');

/** @param hosts of any type: `host`, `host:port` or `*.domain` @param at their path */
export const hostFaults = (hosts: unknown, at: string): FieldError[] =>
  (Array.isArray(hosts) ? hosts : []).flatMap((text, index) => {
    if (typeof text !== 'string') return [];
    const port = /:(\d+)$/.exec(text)?.[1];
    if (host.test(text) && (port === undefined || Number(port) <= 65_535)) return [];
    const expected = 'must be a host such as "media.example.com", "media.example.com:8080" or "*.example.com"';
    return [fieldError('host', `${at}/${index}`, `${expected}; got ${JSON.stringify(text.slice(0, 100))}`)];
  });
