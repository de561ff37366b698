// The addresses that answers carry: as configured, else as the request names them, else where the ports listen.
import type { Config } from '../config.ts';
import type { Proxies, RequestSource } from '../http/proxies.ts';

type PublicUrlsDeps = {
  readonly config: Pick<Config, 'ADMIN_URL' | 'LIVE_URL'>;
  readonly proxies: Proxies;
  /** Where the ports listen, once they do. */
  readonly adminAddress: () => string;
  readonly liveAddress: () => string;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

export type PublicUrls = {
  /** Each for requests to its own port. */
  readonly admin: (request: RequestSource) => string;
  readonly live: (request: RequestSource) => string;
  /** The live port's, for requests to the administrative port. */
  readonly liveBesideAdmin: (request: RequestSource) => string;
};

const withPortOf = (origin: string, address: string): string => {
  const url = new URL(origin);
  url.port = new URL(address).port;
  return url.origin;
};

export function publicUrls({ config, proxies, adminAddress, liveAddress, warn }: PublicUrlsDeps): PublicUrls {
  const warned = new Set<string>();
  const without = (setting: string, address: string): string => {
    if (!warned.has(setting)) {
      const message = `${setting} is not set, and a request through a proxy does not name its public address`;
      warn(message, { instead: address });
    }
    warned.add(setting);
    return address;
  };
  const adminUrl = config.ADMIN_URL?.replace(/\/+$/, '');
  const liveUrl = config.LIVE_URL?.replace(/\/+$/, '');
  return {
    admin: (request) => adminUrl ?? proxies.originOf(request) ?? without('ADMIN_URL', adminAddress()),
    live: (request) => liveUrl ?? proxies.originOf(request) ?? without('LIVE_URL', liveAddress()),
    liveBesideAdmin(request) {
      if (liveUrl !== undefined) return liveUrl;
      const origin = proxies.originOf(request);
      return origin === undefined ? without('LIVE_URL', liveAddress()) : withPortOf(origin, liveAddress());
    },
  };
}
