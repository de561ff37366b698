// SPDX-License-Identifier: Apache-2.0
// The requests to the object store, limited while it is unavailable: the last one failed, or one has been waiting for
// RESPONSE_MS and nothing has arrived since. A list of many pages takes longer than that, so each page counts. Then one request
// a second probes the store, and the others fail at once, so that no request waits, and the store is not flooded when it comes
// back. One log line for each change of the state.
import type { BlobStore, CloudResult } from '../../../blobs/ports.ts';
import type { Timers } from '../../../time/clock.ts';

export type StoreOperation = 'get' | 'list' | 'put' | 'remove';

type GateDeps = {
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Receives each request that the store was sent, with its duration in seconds. */
  readonly onRequest?: (operation: StoreOperation, seconds: number, isOk: boolean) => void;
};

export type GatedStore = ReturnType<typeof gateStore>;

const RESPONSE_MS = 3000;
const PROBE_INTERVAL_MS = 1000;
/** An empty object that probes read and write. */
const PROBE = 'probe';

/** @param what `read` or `written` */
function createGate(what: string, { timers, warn, onRequest }: GateDeps) {
  /** When the first request was sent since something has arrived. */
  let waitingSince: number | undefined;
  let answeredAt = Number.NEGATIVE_INFINITY;
  let probedAt = Number.NEGATIVE_INFINITY;
  /** The latest probe, while it is pending. */
  let probe: symbol | undefined;
  let outage: { readonly since: number; readonly reason: string } | undefined;

  function begin(reason: string): void {
    if (outage !== undefined) return;
    outage = { since: timers.elapsed(), reason };
    warn(`the object store of media cannot be ${what}; media in the local cache are served`, { reason });
  }

  function settle(result: CloudResult<unknown>, sentAt: number): void {
    if (!result.ok) {
      // A request that has timed out since the store came back is no new outage.
      const isLeft = sentAt < answeredAt && timers.elapsed() - sentAt > RESPONSE_MS;
      if (!isLeft) begin(result.reason);
      return;
    }
    waitingSince = undefined;
    answeredAt = timers.elapsed();
    if (outage === undefined) return;
    const unavailableMs = Math.round(timers.elapsed() - outage.since);
    outage = undefined;
    warn(`the object store of media can be ${what} again`, { unavailableMs });
  }

  function away(): string | undefined {
    if (waitingSince !== undefined && timers.elapsed() - waitingSince > RESPONSE_MS) begin('does not respond');
    return outage?.reason;
  }

  return {
    away,
    /** @param work calls `onProgress` when a part of the response has arrived */
    async run<Value>(
      operation: StoreOperation,
      work: (onProgress: () => void) => Promise<CloudResult<Value>>,
    ): Promise<CloudResult<Value>> {
      const at = timers.elapsed();
      const reason = away();
      // The connection of a probe that hangs may be lost, so another one is sent eventually.
      const interval = probe === undefined ? PROBE_INTERVAL_MS : RESPONSE_MS;
      if (reason !== undefined && at - probedAt < interval) return { ok: false, reason };
      const own = Symbol();
      if (reason !== undefined) [probedAt, probe] = [at, own];
      waitingSince ??= at;
      const result = await work(() => {
        waitingSince = timers.elapsed(); // for the next page
      });
      if (probe === own) probe = undefined;
      onRequest?.(operation, (timers.elapsed() - at) / 1000, result.ok);
      settle(result, at);
      return result;
    },
  };
}

export function gateStore(blobs: BlobStore, deps: GateDeps) {
  const [reads, writes] = [createGate('read', deps), createGate('written', deps)];
  const gated: BlobStore = {
    create: blobs.create,
    get: (name) => reads.run('get', () => blobs.get(name)),
    list: (prefix) => reads.run('list', (onProgress) => blobs.list(prefix, onProgress)),
    put: (name, bytes, contentType) => writes.run('put', () => blobs.put(name, bytes, contentType)),
    remove: (name) => writes.run('remove', () => blobs.remove(name)),
  };
  return {
    ...gated,
    /** Why it is unavailable, as a predicate of the store; undefined if it is available. Reading and writing may differ. */
    away: () => reads.away() ?? writes.away(),
    /** Probes the store while it is unavailable. To be called every few seconds. */
    async probe(): Promise<void> {
      if (reads.away() !== undefined) await gated.get(PROBE);
      if (writes.away() !== undefined) await gated.put(PROBE, new Uint8Array(), 'text/plain');
    },
  };
}
