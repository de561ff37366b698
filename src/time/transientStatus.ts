// SPDX-License-Identifier: Apache-2.0
/**
 * Whether a server that returned this status may return another one soon, for the same request: it timed out (408), it does not
 * accept requests early in a TLS connection (425), it limits their rate (429), or it failed (RFC 9110 §15.5.9, §15.6; RFC 8470 §5.2;
 * RFC 6585 §4).
 */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500;
