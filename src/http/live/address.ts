// Who asks, and under which address they reached us.
import type { IncomingMessage } from 'node:http';
import type { Session } from '../../sessions/session.ts';

const LONGEST_PARAMETER = 1000;
const MOST_PARAMETERS = 64;

const firstOf = (header: string | string[] | undefined): string | undefined =>
  (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();

/** The viewer as the ad server should know them: behind a proxy, the address that the proxy forwards. */
export const viewerOf = (request: IncomingMessage): Session['viewer'] => ({
  address: (firstOf(request.headers['x-forwarded-for']) ?? request.socket.remoteAddress ?? '').slice(0, 64),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
});

/** `{live_url}`: as configured, else as this request has it. */
export const liveUrl = (request: IncomingMessage, configured: string | undefined): string =>
  configured?.replace(/\/+$/, '') ?? `http://${request.headers.host ?? 'localhost'}`;

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
