// SPDX-License-Identifier: Apache-2.0
// Sends a request to each host that enabled channels use, as the server would: through the egress guard.
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createExchange } from '../../adapters/http/httpExchange.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../../adapters/sql/channels/sqlPlaylists.ts';
import type { SqlSource } from '../../adapters/sql/sql.ts';
import { openSql } from '../../database.ts';
import { describeError } from '../../errors.ts';
import { type Finding, failed, ok, warning } from './finding.ts';

const MAX_HOSTS = 20;
const TIMEOUT_MS = 10_000;

/** Call only if the schema is current. @returns the URLs, or why they cannot be read */
export async function configuredUrls(source: SqlSource): Promise<{ urls: string[]; finding?: Finding }> {
  try {
    return { urls: await readUrls(source) };
  } catch (error) {
    const text = `the URLs of channels are not readable: ${describeError(error)}`;
    return { urls: [], finding: failed('Database', text, 'Run this as the user of the server, with its settings.') };
  }
}

/** URLs of the ad servers and of the content of enabled channels. */
async function readUrls(source: SqlSource): Promise<string[]> {
  const sql = await openSql(source);
  try {
    const urls: string[] = [];
    for (const { tenant, playlistId, adSource } of await sqlChannels(sql).enabled()) {
      const playlist = playlistId === undefined ? undefined : await sqlPlaylists(sql).find(tenant, playlistId);
      urls.push(...(adSource ? [adSource.url] : []), ...(playlist?.contents ?? []).flatMap(({ url }) => url ?? []));
    }
    return urls;
  } finally {
    await sql.close();
  }
}

/** A URL with macros in its path is fine: only the origin is requested. */
const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

export async function checkEgress(urls: readonly string[], allow: readonly string[]): Promise<Finding[]> {
  const origins = [...new Set(urls.flatMap((url) => originOf(url) ?? []))];
  if (origins.length === 0)
    return [ok('Egress', 'no channel is enabled, so there is no host to check; add --url to check one')];
  const guard = createEgressGuard({ allow });
  const exchange = createExchange(guard, { concurrency: MAX_HOSTS, queue: MAX_HOSTS });
  try {
    return await Promise.all(
      origins.slice(0, MAX_HOSTS).map(async (origin) => {
        const result = await exchange({ url: `${origin}/`, maxBytes: 2 ** 20, timeoutMs: TIMEOUT_MS }, () => true);
        // Any response proves that the host can be reached.
        if (result.ok || result.error === 'httpStatus' || result.error === 'tooLarge')
          return ok('Egress', `${origin} responds`);
        if (result.error === 'egress')
          return failed('Egress', `${origin} ${result.reason}`, 'Add the address to EGRESS_ALLOW if it is yours.');
        return warning('Egress', `${origin} ${result.reason}`, 'Check the URL, DNS, and the firewall of this machine.');
      }),
    );
  } finally {
    await guard.close();
  }
}
