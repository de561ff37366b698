// What a request says of its viewer.
import type { IncomingMessage } from 'node:http';
import type { Session } from '../../sessions/session.ts';
import type { Proxies } from '../proxies.ts';

const LONGEST_PARAMETER = 1000;
const MOST_PARAMETERS = 64;

/** The viewer as the ad server should know them. */
export const viewerOf = (request: IncomingMessage, proxies: Proxies): Session['viewer'] => ({
  address: proxies.clientOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
});

const reserved = new Set(['api-key', 'sid', 'start']);

/** Everything else in the query becomes an ad variable of the session, within bounds. */
export function parametersOf(query: URLSearchParams): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null);
  let count = 0;
  for (const [name, value] of query) {
    if (reserved.has(name) || name.length > 100 || count >= MOST_PARAMETERS) continue;
    parameters[name] = value.slice(0, LONGEST_PARAMETER);
    count += 1;
  }
  return parameters;
}
