// The limits that both ports share, and what the log says when one of them is reached.
import type { Config } from '../config.ts';
import type { ConnectionLimits } from '../http/limitConnections.ts';
import type { Proxies } from '../http/proxies.ts';
import type { Millis } from '../time/units.ts';

type LimitsDeps = {
  readonly config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'HEADER_TIMEOUT'>;
  readonly proxies: Proxies;
  readonly now: () => Millis;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds: an attacker must not fill the log. */
const QUIET = 60_000;

export function connectionLimits({ config, proxies, now, warn }: LimitsDeps): ConnectionLimits {
  let refused = 0;
  let saidAt = Number.NEGATIVE_INFINITY;
  return {
    headerTimeout: config.HEADER_TIMEOUT * 1000,
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    isExempt: proxies.isTrusted,
    onRefused(address) {
      refused += 1;
      if (now() - saidAt < QUIET) return;
      warn('connections were refused: one address has more of them open than CONNECTIONS_PER_ADDRESS allows', {
        address,
        refused,
      });
      refused = 0;
      saidAt = now();
    },
  };
}
