// SPDX-License-Identifier: Apache-2.0
// Faults of a channel body that a JSON schema cannot express. Accepts any value, as playlistFaults does.
import { type FieldError, fieldError } from '../errors.ts';
import { fieldsOf } from './fieldsOf.ts';
import { labelFaults } from './labels.ts';
import { bumperFaults, urlFaults } from './urlFaults.ts';

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

// RFC 1123 §2.1: letters, digits and hyphens. Underscores occur in the names of containers.
const hostName =
  '(?=[^:]{1,253}(?::|$))[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*';
const contentHost = new RegExp(
  `^(?:(?:${hostName}|\\[[0-9a-f:.]{2,45}\\])(?::[1-9][0-9]{0,4})?|\\*\\.${hostName})$`,
  'i',
);

const contentHostFaults = (hosts: unknown): FieldError[] =>
  (Array.isArray(hosts) ? hosts : []).flatMap((host, index) => {
    if (typeof host !== 'string') return [];
    const port = /:(\d+)$/.exec(host)?.[1];
    if (contentHost.test(host) && (port === undefined || Number(port) <= 65_535)) return [];
    const expected = 'must be a host such as "media.example.com", "media.example.com:8080" or "*.example.com"';
    return [fieldError('host', `/contentHosts/${index}`, `${expected}; got ${JSON.stringify(host.slice(0, 100))}`)];
  });

export const backupFaults = (urls: unknown): FieldError[] =>
  (Array.isArray(urls) ? urls : []).flatMap((url, index) => urlFaults(url, `/backupManifestUrls/${index}`));

const KEPT = 'must be "none" while markers is "pass": the playlists keep the markers of the origin';

/** @param body the request body, of any type */
export function channelFaults(body: unknown): FieldError[] {
  const { adSource, adSlateManifestUrl, bumpers, contentHosts, sourceManifestUrl, sourceDashUrl } = fieldsOf(body);
  const { backupManifestUrls, labels, type, markers, markersOut = 'none' } = fieldsOf(body);
  const keepsMarkers = type === 'live' && markers === 'pass' && markersOut !== 'none';
  const source = fieldsOf(adSource);
  const slate = adSlateManifestUrl === '' ? [] : urlFaults(adSlateManifestUrl, '/adSlateManifestUrl');
  return [
    ...slate,
    ...urlFaults(sourceManifestUrl, '/sourceManifestUrl'),
    ...urlFaults(sourceDashUrl, '/sourceDashUrl'),
    ...backupFaults(backupManifestUrls),
    ...bumperFaults(bumpers, '/bumpers'),
    ...urlFaults(source.url, '/adSource/url'),
    ...headerFaults(source.headers),
    ...contentHostFaults(contentHosts),
    ...labelFaults(labels, '/labels'),
    ...(keepsMarkers ? [fieldError('markers', '/markersOut', KEPT)] : []),
    ...labelFaults(source.labels, '/adSource/labels'),
  ];
}
