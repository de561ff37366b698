// SPDX-License-Identifier: Apache-2.0
// The failures of an HTTP exchange, each with an error code and a reason. The reason is a predicate whose subject is
// the server ("returned status 404"). It never contains a URL, because URLs may contain keys.
import { X509Certificate } from 'node:crypto';
import type { ExchangeError, ExchangeFailure, KeyPair } from '../../ads/request/ports.ts';
import { EgressRefused } from './egressGuard.ts';

export function failure(error: ExchangeError, reason: string, status?: number): ExchangeFailure {
  return { ok: false, error, reason, ...(status === undefined ? {} : { status }) };
}

/** Thrown and caught within an exchange; never leaves it. */
export class ExchangeStopped extends Error {
  readonly failure: ExchangeFailure;
  constructor(error: ExchangeError, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.failure = failure(error, reason);
  }
}

export const tooLarge = (maxBytes: number) => new ExchangeStopped('tooLarge', `sent more than ${maxBytes} bytes`);

const byCode: Readonly<Record<string, [ExchangeError, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ECONNRESET: ['reset', 'reset the connection'],
  EPIPE: ['reset', 'reset the connection'],
  UND_ERR_SOCKET: ['reset', 'closed the connection before the response was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['reset', 'closed the connection before the response was complete'],
  ENOTFOUND: ['noSuchHost', 'has a host name that does not exist'],
  EAI_AGAIN: ['noSuchHost', 'has a host name that could not be resolved'],
  ETIMEDOUT: ['timeout', 'did not accept the connection in time'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not accept the connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'did not respond in time'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'stopped sending its response'],
  EHOSTUNREACH: ['unreachable', 'could not be reached'],
  ENETUNREACH: ['unreachable', 'could not be reached'],
  EADDRNOTAVAIL: ['unreachable', 'could not be reached'],
  UND_ERR_HEADERS_OVERFLOW: ['tooLarge', 'sent headers that are too large'],
  UND_ERR_INVALID_ARG: ['failed', 'cannot be requested with this URL or these headers'],
};

const byPrefix: readonly [RegExp, ExchangeError, string][] = [
  [/^HPE_/, 'garbage', 'did not send a valid HTTP response'],
  [
    /^(Z_|ERR__?ERROR_FORMAT|ERR_BROTLI|ERR_PADDING|ERR_ZLIB)/,
    'garbage',
    'sent a body that does not match its content-encoding',
  ],
  [/^ERR_SSL_.*ALERT_CERTIFICATE_REQUIRED/, 'tls', 'requires a client certificate'],
  [/^ERR_SSL_.*ALERT_CERTIFICATE_EXPIRED/, 'tls', 'rejected the client certificate, because it has expired'],
  [
    /^ERR_SSL_.*ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_|ACCESS_DENIED)/,
    'tls',
    'rejected the client certificate',
  ],
  [/^ERR_OSSL_/, 'tls', 'was not contacted, because the client certificate or its key is invalid'],
  [/^(ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/, 'tls', 'has an invalid certificate'],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, 'tls', 'could not establish a TLS connection'],
];

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  // The parser's error has no code if the first line is not HTTP.
  return typeof code === 'string' ? code : name === 'HTTPParserError' ? 'HPE_INVALID' : '';
};

/** Whether the connection was closed before the response was complete. */
export const isReset = (error: unknown): boolean => byCode[codeOf(error)]?.[0] === 'reset';

export function explainFailure(error: unknown): ExchangeFailure {
  if (error instanceof ExchangeStopped) return error.failure;
  if (error instanceof EgressRefused) return failure('egress', error.message);
  const code = codeOf(error);
  const known = byCode[code];
  if (known) return failure(...known);
  const related = byPrefix.find(([prefix]) => prefix.test(code));
  if (related) return failure(related[1], related[2]);
  return failure('failed', `could not be requested${/^\w+$/.test(code) ? ` (${code})` : ''}`);
}

/** Some servers close the connection without an alert. @returns the error of a request that presented a client certificate */
export function explainCertificate(error: unknown, { certificate }: KeyPair): unknown {
  if (error instanceof ExchangeStopped) return error;
  const { error: kind, reason } = explainFailure(error);
  if (kind !== 'reset') return error;
  return new ExchangeStopped(kind, `${reason}; ${validityText(certificate)}`, { cause: error });
}

function validityText(certificate: string): string {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to, now] = [Date.parse(validFrom), Date.parse(validTo), Date.now()];
  if (to < now) return `the client certificate expired on ${dayOf(to)}`;
  return from > now
    ? `the client certificate is not valid before ${dayOf(from)}`
    : 'it may require another client certificate';
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
