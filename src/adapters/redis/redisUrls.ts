// SPDX-License-Identifier: Apache-2.0
// Reads REDIS_URL: the URL of one server, or those of some nodes of a cluster, separated by commas.

export type RedisAddress = { readonly host: string; readonly port: number };

export type RedisUrls = {
  readonly addresses: readonly RedisAddress[];
  /** The same for all nodes. */
  readonly username?: string;
  readonly password?: string;
  readonly usesTls: boolean;
  /** Clusters have only database 0. */
  readonly database: number;
};

const DEFAULT_PORT = 6379;

/** @returns what REDIS_URL must be, without its value, which may contain a password */
export function readRedisUrls(text: string): RedisUrls | string {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => !URL.canParse(part) || !/^rediss?:\/\/[^/]/.test(part)))
    return 'one URL, or several separated by commas, each starting with redis:// or rediss:// and a host';
  const urls = parts.map((part) => new URL(part));
  const [first] = urls as [URL, ...URL[]];
  const path = first.pathname.replace(/^\//, '');
  if (!/^\d{0,4}$/.test(path)) return 'a URL whose path is empty or the number of a database';
  if (urls.some(({ protocol, pathname }) => protocol !== first.protocol || pathname !== first.pathname))
    return 'URLs with the same scheme and the same path';
  return {
    addresses: urls.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? DEFAULT_PORT : Number(port),
    })),
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
    usesTls: first.protocol === 'rediss:',
    database: Number(path),
  };
}
