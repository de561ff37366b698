// SPDX-License-Identifier: Apache-2.0
// Which hosts receive the client certificate of an ad source. No other host does, so that a redirect cannot obtain it.
import { withoutUndefined } from '../../invariant.ts';
import type { CertificateLookup, CertifiedSource, HostsKeyPair, KeyPair } from './ports.ts';

type Source = Omit<CertifiedSource, 'tenant'>;

/** The host of its URL as the operator wrote it: a hook may change the URL, and a macro may have the value of a viewer. */
const hostsOf = ({ url = '', clientCertificate }: Source): string[] => [
  ...(URL.canParse(url) ? [new URL(url).hostname] : []),
  ...(clientCertificate?.hosts ?? []),
];

const isHost = (host: string, listed: string): boolean =>
  listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed;

/** @param host in lower case, without a port @returns the certificate of the first source that has one for the host */
export function certificateFor(sources: Iterable<Source>, host: string): KeyPair | undefined {
  for (const source of sources)
    if (source.clientCertificate && hostsOf(source).some((listed) => isHost(host, listed)))
      return source.clientCertificate;
  return undefined;
}

export function certificateLookup(sources: Iterable<CertifiedSource>): CertificateLookup {
  const byTenant = new Map<string, CertifiedSource[]>();
  for (const source of sources) byTenant.set(source.tenant, [...(byTenant.get(source.tenant) ?? []), source]);
  return (tenant, host) => certificateFor(byTenant.get(tenant) ?? [], host);
}

/** What requests to a source present. */
export function presentedBy(
  source: Source,
  { tenant }: { readonly tenant?: string | undefined },
): { readonly clientCertificate?: HostsKeyPair; readonly tenant?: string } {
  const clientCertificate = source.clientCertificate && { ...source.clientCertificate, hosts: hostsOf(source) };
  return withoutUndefined({ clientCertificate, tenant });
}
