// What a request says of its viewer.
import type { IncomingMessage } from 'node:http';
import type { Session } from '../../sessions/session.ts';
import type { Proxies } from '../proxies.ts';

/** The viewer as the ad server should know them. */
export const viewerOf = (request: IncomingMessage, proxies: Proxies): Session['viewer'] => ({
  address: proxies.clientOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
});
