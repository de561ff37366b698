// SPDX-License-Identifier: Apache-2.0
// The base URLs in responses: as configured, else as in the request, else the addresses that the ports listen on.
import type { Config } from '../config.ts';
import type { Proxies, RequestSource } from '../http/proxies.ts';

type PublicUrlsDeps = {
  readonly config: Pick<Config, 'ADMIN_URL' | 'LIVE_URL'>;
  readonly proxies: Proxies;
  /** The addresses that the ports listen on. */
  readonly adminAddress: () => string;
  readonly liveAddress: () => string;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

const withPortOf = (origin: string, address: string): string => {
  const url = new URL(origin);
  url.port = new URL(address).port;
  return url.origin;
};

export function publicUrls({ config, proxies, adminAddress, liveAddress, warn }: PublicUrlsDeps) {
  const warned = new Set<string>();
  const fallback = (setting: string, address: string): string => {
    if (!warned.has(setting)) {
      const message = `${setting} is not set, and the proxy sends no x-forwarded-host: using the listening address`;
      warn(message, { address });
    }
    warned.add(setting);
    return address;
  };
  const adminUrl = config.ADMIN_URL?.replace(/\/+$/, '');
  const liveUrl = config.LIVE_URL?.replace(/\/+$/, '');
  return {
    /** For requests to the same port. */
    admin: (request: RequestSource) => adminUrl ?? proxies.originOf(request) ?? fallback('ADMIN_URL', adminAddress()),
    live: (request: RequestSource) => liveUrl ?? proxies.originOf(request) ?? fallback('LIVE_URL', liveAddress()),
    /** The URL of the live port, for requests to the administrative port. */
    liveForAdmin(request: RequestSource): string {
      if (liveUrl !== undefined) return liveUrl;
      const origin = proxies.originOf(request);
      return origin === undefined ? fallback('LIVE_URL', liveAddress()) : withPortOf(origin, liveAddress());
    },
  };
}
