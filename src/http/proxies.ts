// SPDX-License-Identifier: Apache-2.0
// The address of a request's client, and the public origin under which the request was made. Forwarding headers are used
// only if the connection comes from a trusted proxy: clients can send any header.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The parts of a request that identify its client: headers and the peer of the connection. */
export type RequestSource = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

export type Proxies = {
  isTrusted(address: string | undefined): boolean;
  /** The client's IP address; empty if the connection is already closed. */
  clientOf(request: RequestSource): string;
  /** `https://host` as the client requested it; undefined without a trustworthy source for it. */
  originOf(request: RequestSource): string | undefined;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

/** Length of the prefix ::ffff:0:0. */
const MAPPED_BITS = 96;

const cidrOf = (text: string): Cidr => {
  if (text.includes('/')) {
    const [net, bits] = ipaddr.parseCIDR(text) as Cidr;
    const isMapped = net.kind() === 'ipv6' && (net as ipaddr.IPv6).isIPv4MappedAddress() && bits >= MAPPED_BITS;
    return isMapped ? [(net as ipaddr.IPv6).toIPv4Address(), bits - MAPPED_BITS] : [net, bits];
  }
  const single = ipaddr.process(text);
  return [single, single.kind() === 'ipv4' ? 32 : 128];
};

/** IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) becomes IPv4. A zone (RFC 4007 §11) means something on one machine only. */
const parseAddress = (text: string): Address | undefined =>
  isIP(text) === 0 ? undefined : ipaddr.process(text.replace(/%.*/, ''));

/** Proxies append to an existing header, so the entry of the nearest proxy is the last one. */
const entriesOf = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : (Array.isArray(header) ? header.join() : header).split(',').map((part) => part.trim());

/** Longer chains of proxies are not followed, so that a header of any length costs the same. */
const MAX_HOPS = 20;
const MAX_EMPTY = 20;

/** The last entries, nearest proxy first. Empty ones do not count (RFC 9110 §5.6.1.2). */
function* lastEntries(header: string | string[] | undefined): Generator<string> {
  const text = Array.isArray(header) ? header.join() : (header ?? '');
  let end = text.length;
  for (let count = 0; end > 0 && count < MAX_HOPS + MAX_EMPTY; count += 1) {
    const comma = text.lastIndexOf(',', end - 1);
    const entry = text.slice(comma + 1, end).trim();
    end = comma;
    if (entry !== '') yield entry;
  }
}

/** `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1`, `[2001:db8::1]:5678`: some proxies include the port. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

/** A subset of RFC 3986 §3.2.2 without characters that could end the host part of a URL. */
const host = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const hostIn = (text: string | undefined): string | undefined =>
  text !== undefined && host.test(text) ? text.toLowerCase() : undefined;

const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'];

/** @param trusted CIDRs or single addresses of proxies; TRUSTED_PROXIES */
export function createProxies(trusted: readonly string[]): Proxies {
  const cidrs = trusted.map(cidrOf);
  const isTrustedProxy = (address: Address): boolean =>
    cidrs.some(([net, bits]) => net.kind() === address.kind() && address.match(net as ipaddr.IPv4, bits));
  const isTrusted = (text: string | undefined): boolean => {
    const address = text === undefined ? undefined : parseAddress(text);
    return address !== undefined && isTrustedProxy(address);
  };
  return {
    isTrusted,
    clientOf({ headers, socket: { remoteAddress = '' } }) {
      let client = parseAddress(remoteAddress);
      if (client === undefined) return remoteAddress;
      if (!isTrustedProxy(client)) return client.toString();
      // Each proxy appended the address of its peer. From the right, the first address that is not a trusted proxy is the client.
      let hops = 0;
      for (const entry of lastEntries(headers['x-forwarded-for'])) {
        const next = parseAddress(withoutPort(entry));
        if (next === undefined) break;
        client = next;
        hops += 1;
        if (hops === MAX_HOPS || !isTrustedProxy(client)) break;
      }
      return client.toString();
    },
    originOf({ headers, socket }) {
      const isProxied = proxyHeaders.some((name) => headers[name] !== undefined) && isTrusted(socket.remoteAddress);
      const scheme = isProxied && entriesOf(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http';
      // A proxy can pass on a forged Host, so behind a proxy only x-forwarded-host counts.
      const name = hostIn(isProxied ? entriesOf(headers['x-forwarded-host']).at(-1) : headers.host);
      return name === undefined ? undefined : `${scheme}://${name}`;
    },
  };
}

// Limits are counted per network rather than per address, because an IPv6 client usually controls a whole /64.

/** Prefix length of an IPv6 network; clients choose the other bits themselves (RFC 4291 §2.5.4, RFC 8981). */
const NETWORK_BITS = 64;

/** @returns an IPv4 address as it is (also if mapped to IPv6), or the network of an IPv6 address */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`)}/${NETWORK_BITS}`;
}
