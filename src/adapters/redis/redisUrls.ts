// SPDX-License-Identifier: Apache-2.0
// Reads REDIS_URL: the URL of one server, or those of some nodes of a cluster, separated by commas.
import type { NonEmpty } from '../../invariant.ts';

export type RedisAddress = { readonly host: string; readonly port: number };

export type RedisUrls = Exclude<ReturnType<typeof readRedisUrls>, string>;

const DEFAULT_PORT = 6379;

const addressOf = ({ hostname, port }: URL): RedisAddress => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? DEFAULT_PORT : Number(port),
});

/** @returns what REDIS_URL must be, without its value, which may contain a password */
export function readRedisUrls(text: string) {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.some((part) => !URL.canParse(part) || !/^rediss?:\/\/[^/]/.test(part)))
    return 'one URL, or several separated by commas, each starting with redis:// or rediss:// and a host';
  const urls = parts.map((part) => new URL(part));
  const [first, ...others] = urls;
  if (first === undefined) return 'a URL';
  const path = first.pathname.replace(/^\//, '');
  if (!/^\d{0,4}$/.test(path)) return 'a URL whose path is empty or the number of a database';
  if (urls.some(({ protocol, pathname }) => protocol !== first.protocol || pathname !== first.pathname))
    return 'URLs with the same scheme and the same path';
  const addresses: NonEmpty<RedisAddress> = [addressOf(first), ...others.map(addressOf)];
  return {
    addresses,
    // The same for all nodes.
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
    usesTls: first.protocol === 'rediss:',
    /** Clusters have only database 0. */
    database: Number(path),
  };
}
