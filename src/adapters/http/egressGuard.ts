// The one door through which Midroll talks to addresses that others named. It knows which addresses may be connected
// to, and checks the very address that the socket will use, after DNS, so that a name which changes its mind between
// check and connection gains nothing. It refuses to know what is asked for and what comes back.
import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, type Dispatcher } from 'undici';

export type EgressRules = {
  /** CIDRs (or single addresses) that may be reached although they are not public; EGRESS_ALLOW. */
  readonly allow?: readonly string[];
  /** Milliseconds to wait for a connection. */
  readonly connectTimeoutMs?: number;
};

/** What a connection fails with when its address is not one that Midroll may talk to. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED';
  /** What the address is for, where it is not public: `loopback`, `link local`. */
  readonly range: string | undefined;
  constructor(message: string, range?: string) {
    super(message);
    this.range = range;
  }
}

/** An entry of EGRESS_ALLOW that is no CIDR. */
export class WrongCidr extends Error {
  readonly code = 'WRONG_CIDR';
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3'); // RFC 4291 §2.4, as allotted by IANA

/** @throws WrongCidr, at the start, when an entry is none */
function readCidr(text: string): Cidr {
  const single = ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
  if (single) return [single, single.kind() === 'ipv4' ? 32 : 128];
  if (!ipaddr.isValidCIDR(text)) throw new WrongCidr(`EGRESS_ALLOW wants CIDRs such as 10.0.0.0/8, got "${text}"`);
  return ipaddr.parseCIDR(text) as Cidr;
}

const isWithin = (address: Address, [network, bits]: Cidr): boolean =>
  address.kind() === network.kind() && address.match(network as ipaddr.IPv4, bits);

/** Only what is known to be public is public: every other range, present and future, is refused. */
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isWithin(address, globalUnicast));

/** What is wrong with an address (said of its server), or undefined when it may be reached. IPv4-mapped IPv6 counts as the IPv4 that it is. */
function refusalOf(text: string, allowed: readonly Cidr[]): EgressRefused | undefined {
  if (!ipaddr.isValid(text)) return new EgressRefused('has an address that cannot be read');
  const address = ipaddr.process(text);
  if (isPublic(address) || allowed.some((cidr) => isWithin(address, cidr))) return undefined;
  const range = address.range() === 'unicast' ? 'reserved' : address.range();
  const words = range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return new EgressRefused(`has an address that is not public (${words}) and not listed in EGRESS_ALLOW`, words);
}

/** DNS that returns only addresses which may be reached; an answer with none of them is a refusal. */
const guardedLookup =
  (allowed: readonly Cidr[]): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      const refusals = addresses.map(({ address }) => refusalOf(address, allowed));
      const reachable = addresses.filter((_, index) => refusals[index] === undefined);
      const first = reachable[0];
      if (!first) return callback(refusals[0] ?? new EgressRefused('has a name without an address'), []);
      if (options.all) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };

/**
 * A dispatcher whose every connection, so that of every redirect too, is checked.
 * @throws WrongCidr when an entry of `allow` is none
 */
export function createEgressGuard({ allow = [], connectTimeoutMs = 10_000 }: EgressRules = {}): Dispatcher {
  const allowed = allow.map(readCidr);
  const connect = buildConnector({
    lookup: guardedLookup(allowed),
    autoSelectFamily: true,
    timeout: connectTimeoutMs,
  } as buildConnector.BuildOptions);
  return new Agent({
    pipelining: 1,
    keepAliveTimeout: 4_000,
    maxHeaderSize: 32 * 1024,
    connect: (options, callback) => {
      // A literal address is never looked up, so it is checked here.
      const refusal = ipaddr.isValid(options.hostname) ? refusalOf(options.hostname, allowed) : undefined;
      if (refusal) callback(refusal, null);
      else connect(options, callback);
    },
  });
}
