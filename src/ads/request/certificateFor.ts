// SPDX-License-Identifier: Apache-2.0
// Which hosts receive the client certificate of an ad source. No other host does, so that a redirect cannot obtain it.
import type { HostsKeyPair, KeyPair } from './ports.ts';

type CertifiedSource = { readonly url?: string; readonly clientCertificate?: HostsKeyPair };

const isHost = (host: string, listed: string): boolean =>
  listed.startsWith('*.') ? host.endsWith(listed.slice(1)) : host === listed;

/** @param host in lower case, without a port @returns the certificate of the first source that has one for the host */
export function certificateFor(sources: Iterable<CertifiedSource>, host: string): KeyPair | undefined {
  for (const { url = '', clientCertificate } of sources) {
    if (clientCertificate === undefined) continue;
    const isOwn = URL.canParse(url) && new URL(url).hostname === host;
    if (isOwn || clientCertificate.hosts?.some((listed) => isHost(host, listed))) return clientCertificate;
  }
  return undefined;
}
