// SPDX-License-Identifier: Apache-2.0
// Whether a server runs: the one on this machine, by its administrative port, and others, by their connections to the database.
import type { Config } from '../../config.ts';
import { type Finding, failed, ok, warning } from '../doctor/finding.ts';
import { localAddress } from '../doctor/localAddress.ts';
import type { StatusFacts } from './statusFacts.ts';

const SERVER = 'Server';
/** Longer than `/ready` waits for a database that does not respond, so that the reason is known. */
const TIMEOUT_MS = 4500;

export type LocalServer =
  | { readonly kind: 'ready'; readonly degraded?: string }
  | { readonly kind: 'unready'; readonly reason: string }
  | { readonly kind: 'none' };

export async function readServer({ HOST, ADMIN_PORT }: Pick<Config, 'HOST' | 'ADMIN_PORT'>): Promise<LocalServer> {
  try {
    const response = await fetch(`http://${localAddress(HOST)}:${ADMIN_PORT}/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { degraded, reason } = ((await response.json()) ?? {}) as { degraded?: unknown; reason?: unknown };
    if (response.status !== 200) return { kind: 'unready', reason: `${reason ?? `status ${response.status}`}` };
    return { kind: 'ready', ...(degraded === undefined ? {} : { degraded: `${degraded}` }) };
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return { kind: 'unready', reason: `it did not respond in time` };
    return { kind: 'none' };
  }
}

/** @param processes that are connected to the database; undefined if that is not known */
export function describeServer(local: LocalServer, port: number, processes: StatusFacts['processes']): Finding {
  const { count = 0, hosts = [] } = processes ?? {};
  const connected =
    count === 0
      ? ''
      : `; ${count} ${count === 1 ? 'process uses' : 'processes use'} the database (${hosts.join(', ')})`;
  switch (local.kind) {
    case 'ready':
      if (local.degraded === undefined) return ok(SERVER, `ready on port ${port}${connected}`);
      return warning(SERVER, `degraded: ${local.degraded.replace(/\.$/, '')}${connected}`, 'See docs/incidents.md.');
    case 'unready':
      return failed(
        SERVER,
        `not ready on port ${port}: ${local.reason.replace(/\.$/, '')}${connected}`,
        'See its log.',
      );
    case 'none':
      if (count > 0) return ok(SERVER, `none on this machine${connected}`);
      return failed(SERVER, `none listens on port ${port} of this machine`, 'Start it, or run this where it runs.');
  }
}
