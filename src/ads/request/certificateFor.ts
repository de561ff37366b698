// SPDX-License-Identifier: Apache-2.0
// Which hosts receive the client certificate of an ad source. No other host does, so that a redirect cannot obtain it.
import { withoutUndefined } from '../../invariant.ts';
import type { CertificateLookup, CertifiedSource, HostsKeyPair, KeyPair } from './ports.ts';

type Source = Omit<CertifiedSource, 'tenant'>;

const isHost = (host: string, listed: string): boolean =>
  listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed;

/** @param host in lower case, without a port @returns the certificate of the first source that has one for the host */
export function certificateFor(sources: Iterable<Source>, host: string): KeyPair | undefined {
  for (const { url = '', clientCertificate } of sources) {
    if (clientCertificate === undefined) continue;
    const isOwn = URL.canParse(url) && new URL(url).hostname === host;
    if (isOwn || clientCertificate.hosts?.some((listed) => isHost(host, listed))) return clientCertificate;
  }
  return undefined;
}

export function certificateLookup(sources: Iterable<CertifiedSource>): CertificateLookup {
  const byTenant = new Map<string, CertifiedSource[]>();
  for (const source of sources) byTenant.set(source.tenant, [...(byTenant.get(source.tenant) ?? []), source]);
  return (tenant, host) => certificateFor(byTenant.get(tenant) ?? [], host);
}

/**
 * What requests to a source present. The host is that of its URL as the operator wrote it: a hook may change the URL, and a macro may
 * have the value of a viewer.
 */
export function presentedBy(
  { url = '', clientCertificate }: Source,
  { tenant }: { readonly tenant?: string | undefined },
): { readonly clientCertificate?: HostsKeyPair; readonly tenant?: string } {
  const own = URL.canParse(url) ? [new URL(url).hostname] : [];
  const presented = clientCertificate && { ...clientCertificate, hosts: [...own, ...(clientCertificate.hosts ?? [])] };
  return withoutUndefined({ clientCertificate: presented, tenant });
}
