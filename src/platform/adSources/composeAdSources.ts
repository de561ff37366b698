// SPDX-License-Identifier: Apache-2.0
// Composes ad sources: their routes, and what this process knows of those that its channels use.
import type { FindAdSources } from '../../channels/ports.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { AdSources } from '../../http/admin/routes/ports.ts';
import type { DiscardRecord } from '../../http/admin/routes/record.ts';
import { adSourceRoutes } from './routes/adSourceRoutes.ts';
import { type CertificateCache, createCertificateCache } from './rules/certificateCache.ts';
import { createSourceCache } from './rules/sourceCache.ts';
import { sqlAdSources } from './store/sqlAdSources.ts';

type Composed = Part & {
  /** The store, for the routes of channels. */
  readonly stored: AdSources;
  /** Reads from memory, unless a source is unknown to this process; for playback. */
  readonly find: FindAdSources;
  readonly certificates: CertificateCache;
};

export function composeAdSources(
  { sql, secretBox, channels, now, timers, warn }: Services,
  discard: DiscardRecord,
): Composed {
  const adSources = sqlAdSources(sql, secretBox);
  const { find, changed } = createSourceCache({ store: adSources, timers, warn });
  const certificates = createCertificateCache(adSources);
  return {
    stored: adSources,
    find,
    certificates,
    routes: adSourceRoutes({ adSources, channels, discard, now }),
    notices: [
      { name: 'reading ad sources', topics: ['ad-sources'], read: changed },
      { name: 'reading client certificates', topics: ['ad-sources'], read: certificates.refresh },
    ],
  };
}
