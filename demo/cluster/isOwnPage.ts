// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';

/**
 * Whether a page of this server has sent a request. Pages of other sites can send requests to this machine, too, but with their
 * own origin; and a site whose name leads to this machine has another host.
 */
export function isOwnPage({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin } = headers;
  const [name, port] = host.split(':');
  const isThisMachine = name === '127.0.0.1' || name === 'localhost';
  return isThisMachine && port === `${socket.localPort}` && origin === `http://${host}`;
}
