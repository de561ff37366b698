// Who a request came from, and the address at which it reached us. What a client writes into its headers is its own
// word; what a trusted proxy writes is believed. Both ports use it. It knows nothing of routes.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is known of a request before it is read: its headers and the other end of its connection. */
export type Reached = {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
};

export type Proxies = {
  isTrusted(address: string | undefined): boolean;
  /** The client's IP address; empty when the connection is closed already. */
  clientOf(request: Reached): string;
  /** `https://host`: scheme and host as the client used them; undefined where nothing says so that may be believed. */
  originOf(request: Reached): string | undefined;
};

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

const cidrOf = (text: string): Cidr => {
  if (text.includes('/')) return ipaddr.parseCIDR(text) as Cidr;
  const single = ipaddr.process(text);
  return [single, single.kind() === 'ipv4' ? 32 : 128];
};

/** IPv4-mapped IPv6 (RFC 4291 §2.5.5.2) is the IPv4 address that it holds. */
const read = (text: string): Address | undefined => (isIP(text) === 0 ? undefined : ipaddr.process(text));

/** Proxies add to a header that is there, so what the nearest one wrote stands last. */
const listed = (header: string | string[] | undefined): string[] =>
  header === undefined ? [] : (Array.isArray(header) ? header.join() : header).split(',').map((part) => part.trim());

/** `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1`, `[2001:db8::1]:5678`: some proxies write the port too. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

/** RFC 3986 §3.2.2, as far as it occurs; nothing that could end a host and begin something else. */
const host = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;
const hostIn = (text: string | undefined): string | undefined =>
  text !== undefined && host.test(text) ? text.toLowerCase() : undefined;

const marks = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'];

/** @param trusted CIDRs or single addresses of proxies; TRUSTED_PROXIES */
export function createProxies(trusted: readonly string[]): Proxies {
  const cidrs = trusted.map(cidrOf);
  const isOurs = (address: Address): boolean =>
    cidrs.some(([net, bits]) => net.kind() === address.kind() && address.match(net as ipaddr.IPv4, bits));
  const isTrusted = (text: string | undefined): boolean => {
    const address = text === undefined ? undefined : read(text);
    return address !== undefined && isOurs(address);
  };
  return {
    isTrusted,
    clientOf({ headers, socket: { remoteAddress = '' } }) {
      let client = read(remoteAddress);
      if (client === undefined) return remoteAddress;
      const entries = listed(headers['x-forwarded-for']);
      // Each proxy vouches for the entry that it wrote, so the first address that is no trusted proxy's is the client's.
      while (entries.length > 0 && isOurs(client)) {
        const next = read(withoutPort(entries.pop()!));
        if (next === undefined) break;
        client = next;
      }
      return client.toString();
    },
    originOf({ headers, socket }) {
      const isProxied = marks.some((name) => headers[name] !== undefined) && isTrusted(socket.remoteAddress);
      const scheme = isProxied && listed(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http';
      // A proxy hands on the Host that a client made up; of itself it speaks in x-forwarded-host.
      const name = hostIn(isProxied ? listed(headers['x-forwarded-host']).at(-1) : headers.host);
      return name === undefined ? undefined : `${scheme}://${name}`;
    },
  };
}
