// SPDX-License-Identifier: Apache-2.0
// The settings: environment variables with their types and defaults.
import { Type } from 'typebox';

const nameRules = {
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  expected: '1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit',
};

/** @param range without a second number, there is no maximum */
const integer = ([minimum, maximum]: readonly [number, number?], fallback: number, description: string) =>
  Type.Integer({ minimum, ...(maximum === undefined ? {} : { maximum }), default: fallback, description });
const optionalText = (description: string, rules: Readonly<Record<string, string | number>> = {}) =>
  Type.Optional(Type.String({ ...rules, description }));
const port = (fallback: number, description: string) =>
  integer([0, 65_535], fallback, `${description} 0 picks a free port.`);
const url = (description: string, schemes: string) => optionalText(description, { format: 'uri', schemes });

/** All settings with type, default and description; docs/settings.md and .env.example are written from them. */
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
  DATABASE_CONNECT_TIMEOUT_MS: integer(
    [100, 60_000],
    5_000,
    'Timeout for a connection to PostgreSQL, in milliseconds.',
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(
    [0, 3_600_000],
    10_000,
    'Timeout for a statement in PostgreSQL, in milliseconds. 0 disables it.',
  ),
  REDIS_URL: optionalText(
    'URL of a Redis or Valkey server for sessions and decisions, or the URLs of nodes of a cluster, separated by commas. Default: the database.',
    { format: 'redis' },
  ),
  REDIS_PREFIX: Type.String({
    ...nameRules,
    default: 'midroll',
    description: 'First part of all keys in Redis. Installations that share a server need different ones.',
  }),
  SECRET_KEY: optionalText('Secret that encrypts the settings of systems. Default: a generated key file in DATA_DIR.', {
    minLength: 16,
  }),
  BOOTSTRAP_API_KEY: optionalText(
    'First API key of an empty database, in printable ASCII. Default: a random key, printed once.',
    { pattern: '^[\\x21-\\x7e]{1,200}$', expected: '1 to 200 printable ASCII characters' },
  ),
  BOOTSTRAP_EMAIL: Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    expected: 'an e-mail address',
    default: 'admin@localhost',
    description: 'E-mail address of the owner of the first API key.',
  }),
  BOOTSTRAP_TENANT: Type.String({
    ...nameRules,
    default: 'default',
    description: 'Name of the first tenant: 1 to 63 letters, digits, dots, dashes or underscores.',
  }),
  ADMIN_RATE_LIMIT: integer([0], 200, 'Requests per minute and tenant, across all nodes. 0 disables the limit.'),
  OIDC_ISSUER: optionalText(
    'URL of an OpenID Connect provider for signing in to the console. Default: API keys only.',
    { format: 'issuer' },
  ),
  OIDC_CLIENT_ID: optionalText('Client id of Midroll at the provider.'),
  OIDC_CLIENT_SECRET: optionalText('Client secret of Midroll at the provider. Default: a public client.'),
  OIDC_NAME: optionalText('Name of the provider on the sign-in page. Default: SSO.', {
    pattern: '^[^\\x00-\\x1f\\x7f]{1,40}$',
    expected: '1 to 40 characters without control characters',
  }),
  OIDC_SCOPES: Type.String({
    pattern: '^(.*[ ,])?openid([ ,].*)?$',
    expected: 'scopes separated by commas, one of which is openid',
    default: 'openid,email,profile',
    description:
      'Scopes to request from the provider, separated by commas. With `offline_access`, roles are checked every 10 minutes.',
  }),
  OIDC_ROLE_CLAIM: Type.String({
    default: 'roles,groups',
    description:
      'Claims with the roles of a user, separated by commas; the first that exists is used. A dot leads into an object.',
  }),
  OIDC_ROLE_MAP: optionalText(
    'Scopes of roles, such as `midroll-admins=manage,midroll-ops=operate,*=read`. `*` is every user.',
    { format: 'roles' },
  ),
  OIDC_TENANT: optionalText('Tenant of the users of the provider. Default: BOOTSTRAP_TENANT.', nameRules),
  OIDC_TENANT_CLAIM: optionalText('Claim with the name of the tenant of a user, in place of OIDC_TENANT.'),
  OIDC_EMAIL_CLAIM: Type.String({
    default: 'email',
    description: 'Claim with the e-mail address of a user, the author of changes.',
  }),
  CONSOLE_SESSION_HOURS: integer(
    [1, 720],
    12,
    'Hours after which a user of the provider has to sign in to the console again.',
  ),
  CONSOLE_IDLE_MINUTES: integer(
    [5, 43_200],
    120,
    'Minutes without a request after which a user of the provider has to sign in again.',
  ),
  SMTP_URL: url(
    'URL of the server that sends e-mail about alerts, with user and password if it requires them. With a password, `smtp://` requires STARTTLS. Default: no e-mail.',
    'smtp smtps',
  ),
  SMTP_FROM: optionalText('Sender of e-mail about alerts, required with SMTP_URL.', {
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    expected: 'an e-mail address',
  }),
  EGRESS_ALLOW: Type.String({
    default: '',
    format: 'cidrs',
    description: 'Private addresses that Midroll may connect to, as comma-separated CIDRs.',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '127.0.0.0/8,::1',
    format: 'proxies',
    description: 'Proxies whose `x-forwarded-*` headers are trusted, as comma-separated CIDRs, or `none`.',
  }),
  CONNECTIONS_PER_ADDRESS: integer(
    [0, 1_000_000],
    1000,
    'Open connections per client address and port; trusted proxies are exempt. 0 disables the limit.',
  ),
  HEADER_TIMEOUT: integer([1, 30], 10, 'Seconds in which the headers of a request must arrive.'),
  IDLE_TIMEOUT: integer(
    [1, 3600],
    65,
    'Seconds without a request after which a connection is closed. Proxies need a shorter limit of their own.',
  ),
  LIVE_FAST_PATH: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether plain GET requests of players are answered without the HTTP layer of Node, at less cost. `off` rules it out as the cause of a fault.',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'Minimum severity of log lines.',
  }),
  SESSION_TTL: integer([60], 900, 'Seconds without a request after which a session expires.'),
  VOD_SESSION_TTL: integer(
    [60, 30 * 86_400],
    86_400,
    'Seconds that a VoD session is kept beyond the length of its presentation, and a guided one of other channels after it was opened.',
  ),
  SESSIONS_PER_ADDRESS: integer(
    [0],
    1200,
    'Sessions that one client address can open per minute, counted in each process. 0 disables the limit.',
  ),
  SESSIONS_PER_CHANNEL: integer(
    [0],
    30_000,
    'Sessions that can be opened on one channel per minute, counted in each process. 0 disables the limit.',
  ),
  OFF_AIR_GRACE: integer(
    [0, 86_400],
    600,
    'Seconds after disabling a channel within which enabling it again continues its sessions.',
  ),
  TRACE_RETENTION: integer(
    [0, 3650],
    7,
    'Days that ended sessions are kept with their traces and the addresses of viewers. 0 keeps none.',
  ),
  TRACE_MAX_MB: integer(
    [1, 10_000_000],
    1024,
    'Size of the traces of ended sessions in the database, in MiB, above which the oldest are deleted.',
  ),
  BEACON_RETENTION: integer([1, 3650], 30, 'Days that beacons are kept in the ledger.'),
  AUDIT_RETENTION: integer([1, 36_500], 365, 'Days that entries are kept in the audit log.'),
  ROLE: Type.Enum(['all', 'serve', 'worker'], {
    default: 'all',
    description: 'Task of the process: serve both ports (`serve`), condition creatives (`worker`), or `all`.',
  }),
  CONDITION_JOBS: integer([1, 64], 1, 'Creatives conditioned at the same time.'),
  CREATIVES_AS_IS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether an HLS or DASH creative that matches the ladder is played from its own host.',
  }),
  AD_MAX_TRACKING_URLS: integer(
    [1, 10_000],
    100,
    'Tracking URLs per ad and event. Further ones are discarded with a warning in the trace.',
  ),
  REPORT_DAYS_FINE: integer([1, 36_500], 1, 'Days that reports keep a resolution of 10 seconds.'),
  REPORT_DAYS_MINUTE: integer([1, 36_500], 30, 'Days that reports keep a resolution of one minute.'),
  REPORT_DAYS_HOUR: integer([1, 36_500], 750, 'Days that reports are kept, with a resolution of one hour.'),
  REPORT_SPOOL_MB: integer(
    [1, 100_000],
    64,
    'Maximum size of report data not yet flushed, in MiB, each in DATA_DIR and in the database.',
  ),
  DELIVERY_SPOOL_MB: integer(
    [1, 100_000],
    64,
    'Maximum size of each spool for deliveries and decisions not yet stored in the database, in MiB.',
  ),
  CREATIVE_MAX_MB: integer([1, 65_536], 1024, 'Maximum size of a creative, in MiB.'),
  CREATIVE_MAX_SECONDS: integer([1, 7200], 600, 'Maximum duration of a creative, in seconds.'),
  MEDIA_MAX_GB: integer(
    [1, 1_000_000],
    50,
    'Size of conditioned media, in GiB, above which media unused for a day and VOD_SESSION_TTL are deleted.',
  ),
  MEDIA_URL: optionalText(
    'Object store for conditioned media: `s3://bucket/prefix`, `azure://account/container/prefix` or `file:///path`. Default: DATA_DIR/media.',
    { format: 'media' },
  ),
  MEDIA_PUBLIC_URL: optionalText(
    'Where players read ads in MEDIA_URL: `signed` URLs of the store, or its public URL. Default: here.',
    { pattern: '^(signed|https?://[^\\s?#]+)$', expected: 'signed, or an http or https URL without parameters' },
  ),
  MEDIA_CACHE_GB: integer([1, 1_000_000], 20, 'Maximum size of the cache of MEDIA_URL in DATA_DIR, in GiB.'),
  AZURE_STORAGE_KEY: optionalText('Access key of the storage account in MEDIA_URL (`azure://`).'),
  WORKERS: integer([1, 64], 1, 'Number of processes that serve the live port.'),
  DRAIN_SECONDS: integer(
    [0, 3600],
    5,
    'Seconds that a process continues to serve after SIGTERM, while `/ready` returns 503.',
  ),
  WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port of a process with ROLE=worker for `/health`, `/ready` and `/metrics`. Default: 8082, or a free port if that is in use. With WORKERS, the first of as many ports, one for each process; default: none. 0 picks free ports.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    'URL of a collector for OpenTelemetry traces (OTLP over HTTP with JSON). Default: none are sent.',
    'http https',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optionalText(
    'Headers of requests to the collector, as `name=value`, separated by commas.',
    { pattern: '^[^=,\\s]+=[^,]*(,[^=,\\s]+=[^,]*)*$', expected: 'name=value pairs, separated by commas' },
  ),
  OTEL_SERVICE_NAME: Type.String({ default: 'midroll', description: 'Name of this service in OpenTelemetry traces.' }),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    pattern: '^(0|1|0?\\.\\d{1,6}|1\\.0{1,6})$',
    expected: 'a number from 0 to 1',
    default: '0.01',
    description: 'Share of requests without a sampled parent that are traced, from 0 to 1.',
  }),
  FFMPEG: Type.String({ default: 'ffmpeg', description: 'Path of the ffmpeg program.' }),
  FFPROBE: Type.String({ default: 'ffprobe', description: 'Path of the ffprobe program.' }),
});
