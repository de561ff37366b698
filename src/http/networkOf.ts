// SPDX-License-Identifier: Apache-2.0
// Limits are counted per network rather than per address, because an IPv6 client usually controls a whole /64.
import ipaddr from 'ipaddr.js';

/** Prefix length of an IPv6 network; clients choose the other bits themselves (RFC 4291 §2.5.4, RFC 8981). */
const NETWORK_BITS = 64;

/** @returns an IPv4 address as it is (also if mapped to IPv6), or the network of an IPv6 address */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${NETWORK_BITS}`)}/${NETWORK_BITS}`;
}
