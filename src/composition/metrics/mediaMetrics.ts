// SPDX-License-Identifier: Apache-2.0
// The object store of media and its cache, as metrics. Without MEDIA_URL they have no values.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { StoreOperation } from '../../adapters/media/store/storeGate.ts';

export function mediaMetrics(registry: Registry) {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'midroll_media_store_request_seconds',
    help: 'Duration of requests to the object store of media',
    labelNames: ['operation'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const errors = new Counter({
    name: 'midroll_media_store_errors_total',
    help: 'Failed requests to the object store of media',
    labelNames: ['operation'] as const,
    registers,
  });
  const reads = new Counter({
    name: 'midroll_media_cache_reads_total',
    help: 'Reads of pieces of media, by result: hit (from the local cache) or miss (from the object store)',
    labelNames: ['result'] as const,
    registers,
  });
  const bytes = new Gauge({
    name: 'midroll_media_cache_bytes',
    help: 'Size of the local cache of media',
    aggregator: 'max',
    registers,
  });
  let isAvailable: (() => boolean) | undefined;
  new Gauge({
    name: 'midroll_media_store_available',
    help: '1 if the object store of media can be read and written, else 0',
    aggregator: 'min',
    registers,
    collect() {
      if (isAvailable === undefined) this.remove();
      else this.set(isAvailable() ? 1 : 0);
    },
  });
  return {
    request(operation: StoreOperation, duration: number, isOk: boolean): void {
      seconds.observe({ operation }, duration);
      if (!isOk) errors.inc({ operation });
    },
    read: (result: 'hit' | 'miss'): void => reads.inc({ result }),
    cacheSize: (size: number): void => bytes.set(size),
    observeState(check: () => boolean): void {
      isAvailable = check;
    },
  };
}
