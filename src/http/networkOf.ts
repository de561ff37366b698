// Limits count networks, not addresses: whoever has an IPv6 address has all of the network around it.
import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name a network; the rest a client chooses as it likes (RFC 4291 §2.5.4, RFC 8981). */
const NETWORK_BITS = 64;

/** IPv4 as it is, also where it came over IPv6; of IPv6 the network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`)}/${NETWORK_BITS}`;
}
