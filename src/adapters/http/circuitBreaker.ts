// SPDX-License-Identifier: Apache-2.0
// A circuit breaker for each server: after several failures in a row, requests are rejected for a few seconds; then a
// single probe decides. So viewers do not wait for a failing server and it can recover. Sending requests is left to the
// caller.

type BreakerLimits = {
  readonly failures: number;
  /** How long the circuit stays open. */
  readonly restMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
};

type Circuit = { failures: number; lastReason: string; restsUntil: number; probing: boolean };

/** `unclear`: the exchange is no evidence about the server. */
export type Outcome = 'worked' | 'unclear' | { readonly failed: string };

/** Failing servers that are remembered: wrapper ads may name any number of hosts. */
const MAX_CIRCUITS = 1_000;

export function createCircuitBreaker({ failures, restMs, now }: BreakerLimits) {
  const circuits = new Map<string, Circuit>();

  const circuitFor = (key: string): Circuit => {
    const known = circuits.get(key);
    if (known) return known;
    const [oldest] = circuits.keys();
    if (oldest !== undefined && circuits.size >= MAX_CIRCUITS) circuits.delete(oldest);
    const fresh = { failures: 0, lastReason: '', restsUntil: 0, probing: false };
    circuits.set(key, fresh);
    return fresh;
  };

  return {
    /** The reason why no request may be sent now. If undefined, the caller sends one and must call `report`. */
    refusal(key: string): string | undefined {
      const circuit = circuits.get(key);
      if (!circuit || circuit.failures < failures) return undefined;
      if (now() >= circuit.restsUntil && !circuit.probing) {
        circuit.probing = true;
        return undefined;
      }
      return `failed ${circuit.failures} times in a row (it ${circuit.lastReason}), so no request is sent for a few seconds`;
    },

    report(key: string, outcome: Outcome): void {
      if (outcome === 'worked') circuits.delete(key);
      const circuit = typeof outcome === 'string' ? circuits.get(key) : circuitFor(key);
      if (circuit) circuit.probing = false;
      if (circuit === undefined || typeof outcome === 'string') return;
      circuit.failures += 1;
      circuit.lastReason = outcome.failed;
      circuit.restsUntil = now() + restMs;
    },
  };
}
