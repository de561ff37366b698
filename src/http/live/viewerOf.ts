// SPDX-License-Identifier: Apache-2.0
import type { IncomingMessage } from 'node:http';
import type { Session } from '../../sessions/session.ts';
import type { Proxies } from '../proxies.ts';

const MAX_USER_AGENT_LENGTH = 500;

/** The address and the user agent that ad requests of the session contain. */
export const viewerOf = (request: IncomingMessage, proxies: Proxies): Session['viewer'] => ({
  address: proxies.clientOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH),
});
