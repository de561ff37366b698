// Leaves a server alone that fails again and again, so that viewers do not wait for it and it can recover: after some
// failures in a row nobody asks for a few seconds, then one may try for all. It knows outcomes and time, nothing else.
import { systemTimers } from '../systemClock.ts';

export type BreakerLimits = {
  /** In a row. */
  readonly failures: number;
  readonly restMs: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
};

type Circuit = { failures: number; lastReason: string; restsUntil: number; probing: boolean };

/** `unclear`: the exchange says nothing about the server. */
export type Outcome = 'worked' | 'unclear' | { readonly failed: string };

export type CircuitBreaker = {
  /** Why the server is not to be asked now; undefined when it may be: then `report` must follow. */
  refusal(key: string): string | undefined;
  report(key: string, outcome: Outcome): void;
};

/** Failing servers that are remembered; wrappers may name as many hosts as they like. */
const MOST_CIRCUITS = 1_000;

export function createCircuitBreaker({ failures, restMs, now = systemTimers.elapsed }: BreakerLimits): CircuitBreaker {
  const circuits = new Map<string, Circuit>();

  const circuitFor = (key: string): Circuit => {
    const known = circuits.get(key);
    if (known) return known;
    const [oldest] = circuits.keys();
    if (oldest !== undefined && circuits.size >= MOST_CIRCUITS) circuits.delete(oldest);
    const fresh = { failures: 0, lastReason: '', restsUntil: 0, probing: false };
    circuits.set(key, fresh);
    return fresh;
  };

  return {
    refusal(key) {
      const circuit = circuits.get(key);
      if (!circuit || circuit.failures < failures) return undefined;
      if (now() >= circuit.restsUntil && !circuit.probing) {
        circuit.probing = true;
        return undefined;
      }
      return `was not asked: it failed ${circuit.failures} times in a row (it ${circuit.lastReason}) and is left alone for a moment`;
    },

    report(key, outcome) {
      if (outcome === 'worked') {
        circuits.delete(key);
        return;
      }
      if (outcome === 'unclear') {
        const circuit = circuits.get(key);
        if (circuit) circuit.probing = false;
        return;
      }
      const circuit = circuitFor(key);
      circuit.failures += 1;
      circuit.lastReason = outcome.failed;
      circuit.restsUntil = now() + restMs;
      circuit.probing = false;
    },
  };
}
