// SPDX-License-Identifier: Apache-2.0
// The settings: environment variables with their types and defaults.
import { Type } from 'typebox';
import { accessSettings } from './accessSettings.ts';
import { retentionSettings } from './retentionSettings.ts';

// The settings of metrics and traces.

const observabilitySettings = {
  WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port of a process with ROLE=worker for `/health`, `/ready` and `/metrics`. Default: 8082, or a free port if that is in use. With WORKERS, the first of as many ports, one for each process; default: none. 0 picks free ports.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'uri',
      schemes: 'http https',
      description: 'URL of a collector for traces (OTLP over HTTP with JSON). Default: no traces.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[^=,\\s]+=[^,]*(,[^=,\\s]+=[^,]*)*$',
      expected: 'name=value pairs, separated by commas',
      description: 'Headers of requests to the collector, as `name=value`, separated by commas.',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({ default: 'midroll', description: 'Name of this service in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    pattern: '^(0|1|0?\\.\\d{1,6}|1\\.0{1,6})$',
    expected: 'a number from 0 to 1',
    default: '0.01',
    description: 'Share of requests without a sampled parent that are traced, from 0 to 1.',
  }),
};

// The settings of connections to both ports.

const connectionSettings = {
  TRUSTED_PROXIES: Type.String({
    default: '127.0.0.0/8,::1',
    format: 'proxies',
    description: 'Proxies whose `x-forwarded-*` headers are trusted, as comma-separated CIDRs, or `none`.',
  }),
  CONNECTIONS_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description: 'Open connections per client address and port; trusted proxies are exempt. 0 disables the limit.',
  }),
  HEADER_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 30,
    default: 10,
    description: 'Seconds in which the headers of a request must arrive.',
  }),
  IDLE_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 3600,
    default: 65,
    description:
      'Seconds without a request after which a connection is closed. Proxies need a shorter limit of their own.',
  }),
};

// The settings of the object store of media.

const objectStoreSettings = {
  MEDIA_URL: Type.Optional(
    Type.String({
      format: 'media',
      description:
        'Object store for conditioned media: `s3://bucket/prefix`, `azure://account/container/prefix` or `file:///path`. Default: DATA_DIR/media.',
    }),
  ),
  MEDIA_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^(signed|https?://[^\\s?#]+)$',
      expected: 'signed, or an http or https URL without parameters',
      description: 'Where players read ads in MEDIA_URL: `signed` URLs of the store, or its public URL. Default: here.',
    }),
  ),
  MEDIA_CACHE_GB: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 20,
    description: 'Maximum size of the cache of MEDIA_URL in DATA_DIR, in GiB.',
  }),
  AZURE_STORAGE_KEY: Type.Optional(
    Type.String({ description: 'Access key of the storage account in MEDIA_URL (`azure://`).' }),
  ),
};

const port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description: `${description} 0 picks a free port.` });
const url = (description: string, schemes: string) =>
  Type.Optional(Type.String({ format: 'uri', schemes, description }));

/** All settings with type, default and description; docs/operating.md lists the same descriptions. */
export const environment = Type.Object({
  ADMIN_PORT: port(8080, 'Port of the administrative API and the console.'),
  LIVE_PORT: port(8081, 'Port for players.'),
  HOST: Type.String({ default: '127.0.0.1', description: 'Address that both ports listen on.' }),
  ADMIN_URL: url('Public URL of the administrative port, if it is behind a proxy.', 'http https'),
  LIVE_URL: url('Public URL of the live port, if it is behind a proxy.', 'http https'),
  DATA_DIR: Type.String({
    default: './data',
    description: 'Directory of the database, the conditioned media, the spools and the secret key.',
  }),
  DATABASE_URL: url('URL of a PostgreSQL database. Default: an SQLite file in DATA_DIR.', 'postgres postgresql'),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 5_000,
    description: 'Timeout for a connection to PostgreSQL, in milliseconds.',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: Type.Integer({
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
    description: 'Timeout for a statement in PostgreSQL, in milliseconds. 0 disables it.',
  }),
  REDIS_URL: Type.Optional(
    Type.String({
      format: 'redis',
      description:
        'URL of a Redis or Valkey server for sessions and decisions, or the URLs of nodes of a cluster, separated by commas. Default: the database.',
    }),
  ),
  REDIS_PREFIX: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
    expected: '1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit',
    default: 'midroll',
    description: 'First part of all keys in Redis. Installations that share a server need different ones.',
  }),
  SECRET_KEY: Type.Optional(
    Type.String({
      minLength: 16,
      description: 'Secret that encrypts the settings of systems. Default: a generated key file in DATA_DIR.',
    }),
  ),
  ...accessSettings,
  EGRESS_ALLOW: Type.String({
    default: '',
    format: 'cidrs',
    description: 'Private addresses that Midroll may connect to, as comma-separated CIDRs.',
  }),
  ...connectionSettings,
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Minimum severity of log lines.',
  }),
  SESSION_TTL: Type.Integer({
    minimum: 60,
    default: 900,
    description: 'Seconds without a request after which a session expires.',
  }),
  VOD_SESSION_TTL: Type.Integer({
    minimum: 60,
    maximum: 30 * 86_400,
    default: 86_400,
    description: 'Seconds that a VoD session is kept beyond the length of its presentation.',
  }),
  SESSIONS_PER_ADDRESS: Type.Integer({
    minimum: 0,
    default: 1200,
    description: 'Sessions that one client address can open per minute, counted in each process. 0 disables the limit.',
  }),
  SESSIONS_PER_CHANNEL: Type.Integer({
    minimum: 0,
    default: 30_000,
    description:
      'Sessions that can be opened on one channel per minute, counted in each process. 0 disables the limit.',
  }),
  ...retentionSettings,
  ROLE: Type.Enum(['all', 'serve', 'worker'], {
    default: 'all',
    description: 'Task of the process: serve both ports (`serve`), condition creatives (`worker`), or `all`.',
  }),
  CONDITION_JOBS: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Creatives conditioned at the same time.',
  }),
  CREATIVES_AS_IS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether an HLS or DASH creative that matches the ladder is played from its own host.',
  }),
  AD_MAX_TRACKING_URLS: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'Tracking URLs per ad and event. Further ones are discarded with a warning in the trace.',
  }),
  REPORT_DAYS_FINE: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 1,
    description: 'Days that reports keep a resolution of 10 seconds.',
  }),
  REPORT_DAYS_MINUTE: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 30,
    description: 'Days that reports keep a resolution of one minute.',
  }),
  REPORT_DAYS_HOUR: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 750,
    description: 'Days that reports are kept, with a resolution of one hour.',
  }),
  REPORT_SPOOL_MB: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 64,
    description: 'Maximum size of report data not yet flushed, in MiB, each in DATA_DIR and in the database.',
  }),
  DELIVERY_SPOOL_MB: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 64,
    description: 'Maximum size of each spool for deliveries and decisions not yet stored in the database, in MiB.',
  }),
  CREATIVE_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: 65_536,
    default: 1024,
    description: 'Maximum size of a creative, in MiB.',
  }),
  CREATIVE_MAX_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 7200,
    default: 600,
    description: 'Maximum duration of a creative, in seconds.',
  }),
  MEDIA_MAX_GB: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 50,
    description:
      'Size of conditioned media, in GiB, above which media unused for a day and VOD_SESSION_TTL are deleted.',
  }),
  ...objectStoreSettings,
  WORKERS: Type.Integer({
    minimum: 1,
    maximum: 64,
    default: 1,
    description: 'Number of processes that serve the live port.',
  }),
  DRAIN_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 3600,
    default: 5,
    description: 'Seconds that a process continues to serve after SIGTERM, while `/ready` returns 503.',
  }),
  ...observabilitySettings,
  FFMPEG: Type.String({ default: 'ffmpeg', description: 'Path of the ffmpeg program.' }),
  FFPROBE: Type.String({ default: 'ffprobe', description: 'Path of the ffprobe program.' }),
});
