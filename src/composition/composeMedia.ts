// SPDX-License-Identifier: Apache-2.0
// Composes the store of conditioned media: a folder in DATA_DIR, or the object store of MEDIA_URL.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { openBlobStore } from '../adapters/cloud/openBlobStore.ts';
import { createMediaFiles, type MediaFiles } from '../adapters/media/mediaFiles.ts';
import { createStoredMedia } from '../adapters/media/store/storedMedia.ts';
import { gateStore, type StoreOperation } from '../adapters/media/store/storeGate.ts';
import { nameOf, readMediaUrl } from '../blobs/mediaLocation.ts';
import type { SharedContainer } from '../blobs/ports.ts';
import { within } from '../time/clock.ts';
import { sharedGauge } from './metrics/storeMetrics.ts';
import type { Services } from './openServices.ts';
import { type PeriodicTask, startPeriodicTask } from './part.ts';

type Media = {
  readonly files: MediaFiles;
  /** The container to which players are redirected, if MEDIA_PUBLIC_URL is set. */
  readonly installation?: SharedContainer;
  /** Why media cannot be read from or written to the store, in a sentence without secrets; undefined if they can. */
  degraded(): string | undefined;
  /** Media that did not exist may exist now, because another process has made some. @param ids undefined: any */
  forgetAbsent(ids?: ReadonlySet<string>): void;
  /** Resolves once this process knows which media exist, or after some seconds. */
  start(): Promise<PeriodicTask[]>;
  close(): Promise<void>;
};

const REFRESH_INTERVAL_MS = 15_000;
const PROBE_INTERVAL_MS = 2000;
const TRIM_INTERVAL_MS = 60_000;
/** The start does not wait longer for the store. */
const START_WAIT_MS = 5000;
/** The end does not wait longer for the disk. */
const END_WAIT_MS = 2000;
const GIB = 2 ** 30;

/** @param unusedMs how long media are kept that are not used. @param serves whether this process serves media to players */
export async function composeMedia(services: Services, unusedMs: number, serves: boolean): Promise<Media> {
  const { config, now, timers, warn } = services;
  const metrics = mediaMetrics(services.metrics);
  const prebuilt = [join(config.DATA_DIR, 'prebuilt')];
  const common = { dataDir: config.DATA_DIR, prebuilt, maxBytes: config.MEDIA_MAX_GB * GIB, unusedMs };
  if (config.MEDIA_URL === undefined) {
    const nothing = { degraded: () => undefined, forgetAbsent: () => {}, start: async () => [], close: async () => {} };
    return { files: createMediaFiles(common), ...nothing };
  }
  const reading = readMediaUrl(config.MEDIA_URL);
  if (!reading.ok) throw new Error(`MEDIA_URL must be ${reading.expected}.`); // already checked when the settings were read
  const { location } = reading;
  const { MEDIA_PUBLIC_URL: publicUrl = 'signed', AZURE_STORAGE_KEY: azureKey } = config;
  const opened = await openBlobStore(location, {
    azureKey,
    ...(publicUrl === 'signed' ? {} : { publicUrl: publicUrl.replace(/\/+$/, '') }),
  });
  const store = gateStore(opened.blobs, { timers, warn, onRequest: metrics.request });
  metrics.observeState(() => store.away() === undefined);
  const files = createStoredMedia({
    ...common,
    store,
    now,
    timers,
    warn,
    serves,
    cacheBytes: config.MEDIA_CACHE_GB * GIB,
    onRead: metrics.read,
    onSize: metrics.cacheSize,
  });
  const { container } = opened;
  const isPublic = config.MEDIA_PUBLIC_URL !== undefined && container !== undefined;
  const hash = createHash('sha256')
    .update(`${JSON.stringify(location)} ${publicUrl}`)
    .digest('hex');
  const target = { location: hash.slice(0, 16), container: nameOf(location) };
  return {
    files,
    ...(isPublic ? { installation: { target, container } } : {}),
    degraded() {
      const reason = store.away();
      return reason && `The object store of media ${reason}; media in the local cache are served.`;
    },
    forgetAbsent: files.forgetAbsent,
    async start() {
      await within(timers, START_WAIT_MS, Promise.all([files.trim(), createIfMissing().then(files.refresh)]));
      const task = (name: string, ms: number, work: () => Promise<void>) =>
        startPeriodicTask(timers, name, ms, work, warn);
      return [
        task('reading the list of media', REFRESH_INTERVAL_MS, files.refresh),
        task('checking the object store of media', PROBE_INTERVAL_MS, store.probe),
        task('limiting the cache of media', TRIM_INTERVAL_MS, files.trim),
      ];
    },
    async close() {
      await within(timers, END_WAIT_MS, files.written());
      await opened.close();
    },
  };

  /** Creates the bucket or container of a new installation. */
  async function createIfMissing(): Promise<void> {
    const listed = await opened.blobs.list('meta/0');
    if (listed.ok || listed.status !== 404) return;
    const created = await opened.blobs.create();
    if (!created.ok) warn('the container of MEDIA_URL does not exist and could not be created', created);
  }
}

/** The object store of media and its cache, as metrics. Without MEDIA_URL they have no values. */
function mediaMetrics(registry: Registry) {
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
  const bytes = sharedGauge(registry, 'midroll_media_cache_bytes', 'Size of the local cache of media');
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
