// SPDX-License-Identifier: Apache-2.0
// The client certificates of ad sources, in memory, for the hosts of wrappers, Error URLs and beacons.
import { certificateFor } from '../ads/request/certificateFor.ts';
import type { CertificateLookup, HostsKeyPair } from '../ads/request/ports.ts';

type CertifiedSource = { readonly tenant: string; readonly url?: string; readonly clientCertificate?: HostsKeyPair };

/** @param read the ad sources of all tenants; others than those with a certificate are ignored */
export function createClientCertificates(read: () => Promise<Iterable<CertifiedSource>>) {
  let byTenant: ReadonlyMap<string, readonly CertifiedSource[]> = new Map();
  const find: CertificateLookup = (tenant, host) => certificateFor(byTenant.get(tenant) ?? [], host);
  return {
    find,
    /** Reads them again: at the start, and when ad sources have changed. */
    async refresh(): Promise<void> {
      const found = new Map<string, CertifiedSource[]>();
      for (const source of await read()) {
        if (source.clientCertificate === undefined) continue;
        const others = found.get(source.tenant);
        if (others === undefined) found.set(source.tenant, [source]);
        else others.push(source);
      }
      byTenant = found;
    },
  };
}
