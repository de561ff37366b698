// SPDX-License-Identifier: Apache-2.0
// The client certificates of the ad sources of all tenants, in memory: also the hosts of wrappers, Error URLs and beacons receive them.
import { certificateLookup } from '../../../ads/request/certificateFor.ts';
import type { CertifiedSource, ClientCertificates } from '../../../ads/request/ports.ts';
import type { AdSourceStore } from './ports.ts';

export type CertificateCache = ClientCertificates & {
  /** Reads them if any ad source has changed. */
  refresh(): Promise<void>;
};

export function createCertificateCache(store: Pick<AdSourceStore, 'certified' | 'stampOfAll'>): CertificateCache {
  const followers: ((sources: readonly CertifiedSource[]) => void)[] = [];
  let stamp: string | undefined;
  let current = certificateLookup([]);
  return {
    find: (tenant, host) => current(tenant, host),
    follow: (follower) => void followers.push(follower),
    async refresh() {
      // First, so that what changes meanwhile is read the next time.
      const latest = await store.stampOfAll();
      if (latest === stamp) return;
      const sources = await store.certified();
      current = certificateLookup(sources);
      stamp = latest;
      for (const follower of followers) follower(sources);
    },
  };
}
