// SPDX-License-Identifier: Apache-2.0
// Guards all outgoing connections to addresses from outside (SSRF). It checks the address that the socket will use,
// after DNS, so a name that resolves differently between check and connection has no effect. Requests and responses are
// left to the caller.

import { createHash } from 'node:crypto';
import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { KeyPair } from '../../ads/request/ports.ts';

type EgressRules = {
  /** EGRESS_ALLOW: CIDR ranges or single addresses that may be reached although they are not public. */
  readonly allow?: readonly string[];
  readonly onRefused?: (refusal: EgressRefused) => void;
  /** PEM: the authorities that servers' certificates are checked with, instead of those of Node.js. */
  readonly ca?: string;
};

/** `presenting`: a guard whose connections present a client certificate. */
export type EgressGuard = Dispatcher & { presenting?(pair: KeyPair): Dispatcher };

/** Identifies a client certificate with its key. */
export const fingerprintOf = ({ certificate, key }: KeyPair): string =>
  createHash('sha256').update(`${certificate}\0${key}`).digest('base64url');

/** Certificates with open connections. */
const MAX_PRESENTED = 256;

export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';
  /** The range of an address that is not public, e.g. `loopback`, `link local`. */
  readonly range: string | undefined;
  constructor(message: string, range?: string) {
    super(message);
    this.range = range;
  }
}

class InvalidCidr extends Error {
  readonly code = 'WRONG_CIDR';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3'); // RFC 4291 §2.4, as allocated by IANA

function readCidr(text: string): Cidr {
  const single = ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
  if (single) return [single, single.kind() === 'ipv4' ? 32 : 128];
  if (!ipaddr.isValidCIDR(text))
    throw new InvalidCidr(`EGRESS_ALLOW must list CIDR ranges such as 10.0.0.0/8; got "${text}".`);
  return ipaddr.parseCIDR(text) as Cidr;
}

const isWithin = (address: Address, [network, bits]: Cidr): boolean =>
  address.kind() === network.kind() && address.match(network as ipaddr.IPv4, bits);

/** Ranges are denied unless they are known to be public. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalUnicast));

/** @returns a predicate of the server; undefined if it may be reached. IPv4-mapped IPv6 counts as IPv4 */
function refusalOf(text: string, allowed: readonly Cidr[]): EgressRefused | undefined {
  if (!ipaddr.isValid(text)) return new EgressRefused('has an invalid address');
  const address = ipaddr.process(text);
  if (isPublic(address) || allowed.some((cidr) => isWithin(address, cidr))) return undefined;
  const range = address.range() === 'unicast' ? 'reserved' : address.range();
  const rangeName = range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return new EgressRefused(
    `has an address that is not public (${rangeName}) and not listed in EGRESS_ALLOW`,
    rangeName,
  );
}

/** A DNS lookup that returns only addresses that may be reached, and fails if there are none. */
const guardedLookup =
  (allowed: readonly Cidr[], onRefused: (refusal: EgressRefused) => void): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const refusals = addresses.map(({ address }) => refusalOf(address, allowed));
      const reachable = addresses.filter((_, index) => refusals[index] === undefined);
      const [first] = reachable;
      if (!first) {
        const refusal = refusals[0] ?? new EgressRefused('has a host name without an address');
        onRefused(refusal);
        return callback(refusal, []);
      }
      if (options.all) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };

/** Checks every connection, including those of redirects. @throws {InvalidCidr} if an entry of `allow` is invalid */
export function createEgressGuard({ allow = [], onRefused = () => {}, ca }: EgressRules = {}) {
  const allowed = allow.map(readCidr);

  function createAgent(own: { readonly cert?: string; readonly key?: string } = {}): Agent {
    const connect = buildConnector({
      lookup: guardedLookup(allowed, onRefused),
      autoSelectFamily: true,
      timeout: 10_000,
      ...own,
      ...(ca === undefined ? {} : { ca }),
    } as buildConnector.BuildOptions);
    return new Agent({
      pipelining: 1,
      keepAliveTimeout: 4_000,
      maxHeaderSize: 32 * 1024,
      connect: (options, callback) => {
        // A literal address is not looked up, so it is checked here.
        const refusal = ipaddr.isValid(options.hostname) ? refusalOf(options.hostname, allowed) : undefined;
        if (refusal) {
          onRefused(refusal);
          callback(refusal, null);
          return;
        }
        connect(options, (...connected) => {
          const [, socket] = connected;
          // Otherwise, undici reports the end of the connection that follows an alert of TLS, not the alert.
          socket?.once('error', (alert) => socket.destroy(alert));
          callback(...connected);
        });
      },
    });
  }

  const agent = createAgent();
  const presented = new LRUCache<string, Agent>({
    max: MAX_PRESENTED,
    dispose: (one) => void one.close().catch(() => {}),
  });
  return Object.assign(agent, {
    presenting(pair: KeyPair): Dispatcher {
      const fingerprint = fingerprintOf(pair);
      const known = presented.get(fingerprint);
      if (known !== undefined) return known;
      const created = createAgent({ cert: pair.certificate, key: pair.key });
      presented.set(fingerprint, created);
      return created;
    },
  });
}
