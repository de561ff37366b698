// Every way in which an exchange over HTTP goes wrong, each with a kind for machines and a predicate for people: it is
// said of the server ("answered 404"). No URL is repeated, because URLs carry keys.
import type { ExchangeError } from '../../ads/request/ports.ts';
import { EgressRefused } from './egressGuard.ts';

export type ExchangeFailure = {
  readonly ok: false;
  readonly error: ExchangeError;
  readonly reason: string;
  readonly status?: number;
};

export const failure = (error: ExchangeError, reason: string, status?: number): ExchangeFailure => ({
  ok: false,
  error,
  reason,
  ...(status === undefined ? {} : { status }),
});

/** What an exchange throws inside itself, to be caught by itself: never seen outside. */
export class ExchangeStopped extends Error {
  readonly failure: ExchangeFailure;
  constructor(error: ExchangeError, reason: string) {
    super(reason);
    this.failure = failure(error, reason);
  }
}

const byCode: Readonly<Record<string, [ExchangeError, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ECONNRESET: ['reset', 'reset the connection'],
  EPIPE: ['reset', 'reset the connection'],
  UND_ERR_SOCKET: ['reset', 'closed the connection before its answer was complete'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['reset', 'closed the connection before its answer was complete'],
  ENOTFOUND: ['noSuchHost', 'has a host name that does not exist'],
  EAI_AGAIN: ['noSuchHost', 'has a host name that could not be resolved'],
  ETIMEDOUT: ['timeout', 'did not accept the connection in time'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'did not accept the connection in time'],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'did not answer in time'],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'stopped sending its answer'],
  EHOSTUNREACH: ['unreachable', 'could not be reached'],
  ENETUNREACH: ['unreachable', 'could not be reached'],
  EADDRNOTAVAIL: ['unreachable', 'could not be reached'],
  UND_ERR_HEADERS_OVERFLOW: ['tooLarge', 'sent headers that are too large'],
  UND_ERR_INVALID_ARG: ['failed', 'cannot be asked with this URL or these headers'],
};

const byPrefix: readonly [RegExp, ExchangeError, string][] = [
  [/^HPE_/, 'garbage', 'did not answer in HTTP'],
  [
    /^(Z_|ERR__?ERROR_FORMAT|ERR_BROTLI|ERR_PADDING|ERR_ZLIB)/,
    'garbage',
    'sent a body that its content-encoding does not fit',
  ],
  [/^(ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/, 'tls', 'has no valid certificate'],
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, 'tls', 'could not agree on TLS'],
];

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  // The parser's error carries no code when the very first line is no HTTP.
  return typeof code === 'string' ? code : name === 'HTTPParserError' ? 'HPE_INVALID' : '';
};

/** Whether the connection ended before its answer did. */
export const isReset = (error: unknown): boolean => byCode[codeOf(error)]?.[0] === 'reset';

/** A kind and a sentence for whatever was thrown. */
export function explainFailure(error: unknown): ExchangeFailure {
  if (error instanceof ExchangeStopped) return error.failure;
  if (error instanceof EgressRefused) return failure('egress', error.message);
  const code = codeOf(error);
  const known = byCode[code];
  if (known) return failure(...known);
  const kin = byPrefix.find(([prefix]) => prefix.test(code));
  if (kin) return failure(kin[1], kin[2]);
  return failure('failed', `could not be asked${/^\w+$/.test(code) ? ` (${code})` : ''}`);
}
