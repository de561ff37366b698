// What an operator can set: environment variables, all of them, with their defaults. A value that cannot be meant stops
// the start with a sentence for each; an empty value counts as not set. Knows no file, no flag, no network.
import ipaddr from 'ipaddr.js';
import { type Static, Type } from 'typebox';

const port = (fallback: number, what: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description: `${what}; 0 takes a free port` });
const url = (what: string, schemes: string) =>
  Type.Optional(Type.String({ format: 'uri', schemes, description: what }));

/** Every variable: its type, its default and what it means. */
export const environment = Type.Object({
  ADMIN_PORT: port(8080, 'port of the administrative interface'),
  LIVE_PORT: port(8081, 'port of the live interface'),
  HOST: Type.String({ default: '127.0.0.1', description: 'address that both ports listen on' }),
  ADMIN_URL: url('public address of the administrative interface behind a proxy', 'http https'),
  LIVE_URL: url('public address of the live interface behind a proxy', 'http https'),
  DATA_DIR: Type.String({ default: './data', description: 'folder of the database, the media and the secret key' }),
  DATABASE_URL: url('PostgreSQL instead of the SQLite file in DATA_DIR', 'postgres postgresql'),
  DATABASE_CONNECT_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 60_000,
    default: 5_000,
    description: 'milliseconds to wait for a connection to PostgreSQL',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: Type.Integer({
    minimum: 0,
    maximum: 3_600_000,
    default: 10_000,
    description: 'milliseconds that a statement may take in PostgreSQL; 0 is no limit',
  }),
  SECRET_KEY: Type.Optional(
    Type.String({ minLength: 16, description: 'what settings are encrypted with; else a key file in DATA_DIR' }),
  ),
  BOOTSTRAP_API_KEY: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,200}$',
      description: 'the first key of an empty database, printable ASCII',
    }),
  ),
  BOOTSTRAP_EMAIL: Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    default: 'admin@localhost',
    description: 'owner of the first key, an e-mail address',
  }),
  BOOTSTRAP_TENANT: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
    default: 'default',
    description: 'name of the first tenant: 1 to 63 letters, digits, dots, dashes, underscores',
  }),
  ADMIN_RATE_LIMIT: Type.Integer({
    minimum: 0,
    default: 200,
    description: 'requests a minute and tenant, on all nodes together; 0 is off',
  }),
  EGRESS_ALLOW: Type.String({
    default: '',
    format: 'cidrs',
    description: 'private addresses that may be fetched from, as CIDRs separated by commas',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '127.0.0.0/8,::1',
    format: 'proxies',
    description: 'proxies whose `x-forwarded-` headers are believed, as CIDRs separated by commas; or `none`',
  }),
  CONNECTIONS_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description: 'connections that one address may have open to a port, trusted proxies excepted; 0 is off',
  }),
  HEADER_TIMEOUT: Type.Integer({
    minimum: 1,
    maximum: 30,
    default: 10,
    description: 'seconds in which the headers of a request must have arrived',
  }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
    description: 'the least severe line that is logged',
  }),
  SESSION_TTL: Type.Integer({ minimum: 60, default: 900, description: 'seconds after which a silent viewer is gone' }),
  SESSIONS_PER_ADDRESS: Type.Integer({
    minimum: 0,
    default: 1200,
    description: 'sessions that one address may open in a minute, counted in each process; 0 is off',
  }),
  SESSIONS_PER_CHANNEL: Type.Integer({
    minimum: 0,
    default: 30_000,
    description: 'sessions that may be opened on a channel in a minute, counted in each process; 0 is off',
  }),
  OFF_AIR_GRACE: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    default: 600,
    description: 'seconds for which the viewers of a channel that is disabled can go on when it is enabled again',
  }),
  BEACON_RETENTION: Type.Integer({
    minimum: 1,
    maximum: 3650,
    default: 30,
    description: 'days that beacons stay in the ledger',
  }),
  ROLE: Type.Enum(['all', 'serve', 'worker'], {
    default: 'all',
    description: 'what the process does: serve viewers and operators, make creatives (worker), or all of it',
  }),
  CONDITION_JOBS: Type.Integer({ minimum: 1, maximum: 64, default: 1, description: 'creatives conditioned at a time' }),
  CREATIVES_AS_IS: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'whether an HLS or DASH creative that matches is shown from its own host',
  }),
  AD_MAX_TRACKING_URLS: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'tracking URLs for each event of an ad; the rest are left out, with a warning in the trace',
  }),
  REPORT_DAYS_FINE: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 1,
    description: 'days for which reports tell stretches of 10 s apart',
  }),
  REPORT_DAYS_MINUTE: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 30,
    description: 'days for which reports tell minutes apart',
  }),
  REPORT_DAYS_HOUR: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    default: 750,
    description: 'days for which reports are kept, by the hour',
  }),
  REPORT_SPOOL_MB: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 64,
    description: 'megabytes of DATA_DIR, and of the database, for what the reports could not be told yet',
  }),
  DELIVERY_SPOOL_MB: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 64,
    description: 'megabytes of DATA_DIR for what viewers were given while the database was away',
  }),
  CREATIVE_MAX_MB: Type.Integer({
    minimum: 1,
    maximum: 65_536,
    default: 1024,
    description: 'MiB that are fetched of a creative, at most',
  }),
  CREATIVE_MAX_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 7200,
    default: 600,
    description: 'seconds that a creative may last',
  }),
  MEDIA_MAX_GB: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 50,
    description: 'GiB of conditioned media that are kept; beyond it, what was not played for a day goes',
  }),
  WORKERS: Type.Integer({ minimum: 1, maximum: 64, default: 1, description: 'processes that serve the live port' }),
  FFMPEG: Type.String({ default: 'ffmpeg', description: 'the ffmpeg program' }),
  FFPROBE: Type.String({ default: 'ffprobe', description: 'the ffprobe program' }),
});

export type Config = Static<typeof environment>;

type VariableSchema = {
  type: 'string' | 'integer';
  default?: string | number;
  description: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  format?: string;
  schemes?: string;
  enum?: string[];
};

// Their values hold passwords: what came is not repeated.
const secrets = new Set(['SECRET_KEY', 'BOOTSTRAP_API_KEY', 'DATABASE_URL']);

const isCidr = (text: string) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** What is wanted, when the value is not it; undefined when it is. */
function unmet(schema: VariableSchema, value: string): string | undefined {
  if (schema.enum) return schema.enum.includes(value) ? undefined : `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') {
    const [least, most] = [schema.minimum ?? 0, schema.maximum ?? Number.MAX_SAFE_INTEGER];
    if (/^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most) return undefined;
    return schema.maximum === undefined
      ? `a whole number, ${least} or more`
      : `a whole number from ${least} to ${most}`;
  }
  if (schema.minLength && value.length < schema.minLength) return `at least ${schema.minLength} characters long`;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return `the ${schema.description}`;
  if (schema.schemes) {
    const allowed = schema.schemes.split(' ');
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (!allowed.includes(scheme)) return `a URL that starts with ${allowed.map((name) => `${name}://`).join(' or ')}`;
  }
  if (schema.format === 'proxies' && value === 'none') return undefined;
  if (schema.format === 'cidrs' || schema.format === 'proxies') {
    const odd = value.split(',').find((part) => part.trim() !== '' && !isCidr(part.trim()));
    if (odd !== undefined) return 'addresses or CIDRs separated by commas, e.g. 127.0.0.0/8,10.1.2.3';
  }
  return undefined;
}

/** @returns the configuration, or every sentence that must be said before the start is given up */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
): { ok: true; config: Config } | { ok: false; problems: string[] } {
  const values: Record<string, string | number> = {};
  const problems: string[] = [];
  for (const [name, property] of Object.entries(environment.properties)) {
    const schema = property as unknown as VariableSchema;
    const value = env[name]?.trim();
    if (value === undefined || value === '') {
      if (schema.default !== undefined) values[name] = schema.default;
      continue;
    }
    const wanted = unmet(schema, value);
    if (wanted === undefined) values[name] = schema.type === 'integer' ? Number(value) : value;
    else problems.push(`${name} must be ${wanted}${secrets.has(name) ? '' : `; it is "${value}"`}.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: values as Config };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The CIDRs of EGRESS_ALLOW. */
export const egressAllow = (config: Config): string[] => listOf(config.EGRESS_ALLOW);

/** The CIDRs of TRUSTED_PROXIES. */
export const trustedProxies = ({ TRUSTED_PROXIES }: Config): string[] =>
  TRUSTED_PROXIES === 'none' ? [] : listOf(TRUSTED_PROXIES);
