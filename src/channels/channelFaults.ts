// SPDX-License-Identifier: Apache-2.0
// Faults of a channel body that a JSON schema cannot express. Accepts any value, as playlistFaults does.
import { type FieldError, fieldError } from '../errors.ts';
import { demandFaults } from './demandFaults.ts';
import { fieldsOf } from './fieldsOf.ts';
import { labelFaults } from './labels.ts';
import { headerFaults, hostFaults } from './requestFaults.ts';
import { bumperFaults, urlFaults } from './urlFaults.ts';

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
    ...headerFaults(source.headers, '/adSource/headers'),
    ...demandFaults(fieldsOf(body)),
    ...hostFaults(contentHosts, '/contentHosts'),
    ...labelFaults(labels, '/labels'),
    ...(keepsMarkers ? [fieldError('markers', '/markersOut', KEPT)] : []),
    ...labelFaults(source.labels, '/adSource/labels'),
  ];
}
