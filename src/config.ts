// SPDX-License-Identifier: Apache-2.0
// Reads the settings. Invalid values abort startup with an explanation; an empty value counts as not set.
import ipaddr from 'ipaddr.js';
import type { Static } from 'typebox';
import { readRedisUrls } from './adapters/redis/redisUrls.ts';
import { readMediaUrl } from './blobs/mediaLocation.ts';
import { readRoleMap } from './platform/access/rules/identity.ts';
import { environment } from './settings/environment.ts';

export type Config = Static<typeof environment>;

type VariableSchema = {
  type: 'string' | 'integer';
  default?: string | number;
  description: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  /** Which values match `pattern`, for errors. */
  expected?: string;
  format?: string;
  schemes?: string;
  enum?: string[];
};

/** Their values are credentials, so errors do not quote them. */
const secrets = new Set([
  'SECRET_KEY',
  'BOOTSTRAP_API_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'MEDIA_URL',
  'AZURE_STORAGE_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
]);

const isCidr = (text: string) => ipaddr.isValidCIDR(text) || ipaddr.isValid(text);

/** Tokens must not be sent without encryption, except to a provider on the same machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  if (username !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

/** @returns which values are valid, or undefined if this one is */
function expectedUnlessValid(schema: VariableSchema, value: string): string | undefined {
  if (schema.enum) return schema.enum.includes(value) ? undefined : `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') {
    const [min, max] = [schema.minimum ?? 0, schema.maximum ?? Number.MAX_SAFE_INTEGER];
    if (/^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max) return undefined;
    return schema.maximum === undefined ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`;
  }
  if (schema.minLength && value.length < schema.minLength) return `at least ${schema.minLength} characters long`;
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) return schema.expected;
  if (schema.schemes) {
    const allowed = schema.schemes.split(' ');
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (!allowed.includes(scheme)) return `a URL starting with ${allowed.map((name) => `${name}://`).join(' or ')}`;
  }
  if (schema.format === 'redis' || schema.format === 'roles') {
    const read = schema.format === 'redis' ? readRedisUrls(value) : readRoleMap(value);
    return typeof read === 'string' ? read : undefined;
  }
  if (schema.format === 'media') {
    const reading = readMediaUrl(value);
    return reading.ok ? undefined : reading.expected;
  }
  if (schema.format === 'issuer') return isIssuer(value) ? undefined : 'an https URL, or an http URL of this machine';
  if (schema.format === 'proxies' && value === 'none') return undefined;
  if (schema.format === 'cidrs' || schema.format === 'proxies') {
    const isInvalid = value.split(',').some((part) => part.trim() !== '' && !isCidr(part.trim()));
    if (isInvalid) return 'comma-separated addresses or CIDRs, e.g. 127.0.0.0/8,10.1.2.3';
  }
  return undefined;
}

/** @returns the configuration, or one message for each invalid variable */
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
    const expected = expectedUnlessValid(schema, value);
    if (expected === undefined) values[name] = schema.type === 'integer' ? Number(value) : value;
    else problems.push(`${name} must be ${expected}${secrets.has(name) ? '' : `; got "${value.slice(0, 200)}"`}.`);
  }
  problems.push(...mediaProblems(values), ...signInProblems(values), ...mailProblems(values));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: values as Config };
}

/** What is wrong with the settings of media together. */
function mediaProblems({ MEDIA_URL = '', MEDIA_PUBLIC_URL, AZURE_STORAGE_KEY }: Record<string, string | number>) {
  const problems: string[] = [];
  const url = String(MEDIA_URL);
  if (MEDIA_PUBLIC_URL !== undefined && !/^(s3|azure):/.test(url))
    problems.push('MEDIA_PUBLIC_URL requires a MEDIA_URL that starts with s3:// or azure://.');
  if (url.startsWith('azure:') && AZURE_STORAGE_KEY === undefined)
    problems.push('AZURE_STORAGE_KEY must be set if MEDIA_URL starts with azure://.');
  return problems;
}

/** What is missing for e-mail. */
const mailProblems = ({ SMTP_URL, SMTP_FROM }: Record<string, string | number>): string[] =>
  SMTP_URL !== undefined && SMTP_FROM === undefined ? ['SMTP_FROM must be set if SMTP_URL is set.'] : [];

/** What is missing for signing in with OpenID Connect. */
function signInProblems(values: Record<string, string | number>): string[] {
  const { OIDC_ISSUER } = values;
  if (OIDC_ISSUER === undefined) return [];
  return ['OIDC_CLIENT_ID', 'OIDC_ROLE_MAP']
    .filter((name) => values[name] === undefined)
    .map((name) => `${name} must be set if OIDC_ISSUER is set.`);
}

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The claims of OIDC_ROLE_CLAIM. */
export const roleClaims = (config: Config): string[] => splitList(config.OIDC_ROLE_CLAIM);

/** The CIDRs of EGRESS_ALLOW. */
export const egressAllow = (config: Config): string[] => splitList(config.EGRESS_ALLOW);

/** The CIDRs of TRUSTED_PROXIES. */
export const trustedProxies = ({ TRUSTED_PROXIES }: Config): string[] =>
  TRUSTED_PROXIES === 'none' ? [] : splitList(TRUSTED_PROXIES);
