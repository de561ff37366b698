// SPDX-License-Identifier: Apache-2.0
// The settings of connections to both ports.
import { Type } from 'typebox';

export const connectionSettings = {
  TRUSTED_PROXIES: Type.String({
    default: '127.0.0.0/8,::1',
    format: 'proxies',
    description: 'Proxies whose `x-forwarded-*` headers are trusted, as comma-separated CIDRs, or `none`.',
  }),
  CONNECTIONS_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description: 'Open connections per client address and port; trusted proxies are exempt. 0 disables the limit.',
  }),
  HEADER_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 30,
    default: 10,
    description: 'Seconds in which the headers of a request must arrive.',
  }),
  IDLE_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 65,
    description:
      'Seconds without a request after which a connection is closed. Proxies need a shorter limit of their own.',
  }),
};
