// SPDX-License-Identifier: Apache-2.0
// The connection limits of both ports, and the log line when one is exceeded.
import type { Config } from '../config.ts';
import type { ConnectionLimits } from '../http/limitConnections.ts';
import type { Proxies } from '../http/proxies.ts';
import type { Millis } from '../time/units.ts';

type LimitsDeps = {
  readonly config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'HEADER_TIMEOUT' | 'IDLE_TIMEOUT'>;
  readonly proxies: Proxies;
  readonly now: () => Millis;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** An attacker must not be able to fill the log. */
const LOG_INTERVAL_MS = 60_000;

export function connectionLimits({ config, proxies, now, warn }: LimitsDeps): ConnectionLimits {
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return {
    headerTimeout: config.HEADER_TIMEOUT * 1000,
    idleTimeout: config.IDLE_TIMEOUT * 1000,
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    isExempt: proxies.isTrusted,
    onRefused(address) {
      refused += 1;
      if (now() - loggedAt < LOG_INTERVAL_MS) return;
      warn('connections refused: CONNECTIONS_PER_ADDRESS exceeded', { address, refused });
      refused = 0;
      loggedAt = now();
    },
  };
}
