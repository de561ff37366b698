// SPDX-License-Identifier: Apache-2.0
// The ports for requests to ad servers. Implemented in adapters/http, behind the egress guard, and in adapters/vast.
import type { AdResponseBytes, ParsedAdResponse } from '../../vast/read/readAdResponse.ts';

/** A client certificate and its private key, as PEM. */
export type KeyPair = { readonly certificate: string; readonly key: string };

/** A client certificate for hosts: `host` or `*.domain`, in lower case. */
export type HostsKeyPair = KeyPair & { readonly hosts?: readonly string[] };

/** Of an ad source. The host of `url` receives the certificate too. */
export type CertifiedSource = {
  readonly tenant: string;
  readonly url?: string;
  readonly clientCertificate?: HostsKeyPair;
};

/** The certificate that a host receives from a tenant. Answers from memory. */
export type CertificateLookup = (tenant: string, host: string) => KeyPair | undefined;

export type ClientCertificates = {
  readonly find: CertificateLookup;
  /** @param follower is called with the ad sources of all tenants that have a certificate, each time when one has changed */
  follow(follower: (sources: readonly CertifiedSource[]) => void): void;
};

export type AdRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. With `content-encoding: gzip`, the adapter compresses the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Why an HTTP exchange failed. */
export type ExchangeError =
  | 'badUrl'
  /** The egress guard does not allow this address. */
  | 'egress'
  | 'noSuchHost'
  | 'unreachable'
  | 'refused'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'tooLarge'
  | 'redirects'
  | 'httpStatus'
  /** Not HTTP, or a body that does not match its content-encoding. */
  | 'garbage'
  /** Not sent: too many requests are waiting for this server. */
  | 'busy'
  /** Not sent: the server failed several times in a row, or limits the rate of requests, so they are suspended for some time. */
  | 'resting'
  | 'cancelled'
  /** The response could not be written to disk. */
  | 'notStored'
  | 'failed';

export type AdRequestLimits = {
  /** For the whole exchange, including redirects and body. */
  readonly timeoutMs: number;
  /** Size limit of the decoded response, if lower than the usual one. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** The hosts that require a client certificate receive this one, otherwise the one that the tenant has for them. */
  readonly clientCertificate?: HostsKeyPair;
  readonly tenant?: string;
  /** Called with each redirect that is followed. */
  readonly onRedirect?: (redirect: Redirect) => void;
};

export type Redirect = { readonly url: string; readonly status: number; readonly location: string };

/** The start of the body of a response without success. */
export type FailedBody = { readonly contentType: string; readonly bytes: Uint8Array };

export type ExchangeFailure = {
  readonly ok: false;
  readonly error: ExchangeError;
  /** A clause about the server, without secrets, e.g. `returned 503`. */
  readonly reason: string;
  readonly status?: number;
  /** The start of the body, if it was to be kept. */
  readonly body?: FailedBody;
  /** The header `Retry-After` of a response without success, as sent. */
  readonly retryAfter?: string;
};

export type AdServerResponse =
  | {
      readonly ok: true;
      /** After redirects. Relative URLs are resolved against it. */
      readonly url: string;
      readonly status: number;
      readonly ms: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
    }
  | (ExchangeFailure & {
      readonly ms: number;
      /** For so many milliseconds, the server accepts no requests with this path: it has returned 429, or 503 with `Retry-After`. */
      readonly restsMs?: number;
    });

export type AdServer = {
  /** Resolves within the timeout, and does not reject when the exchange fails. */
  send(request: AdRequest, limits: AdRequestLimits): Promise<AdServerResponse>;
};

/** Reads ad responses. A response that is not read in time results in a failure. */
export type AdResponseReader = {
  /** Tracking URLs for each event of an ad. */
  readonly maxUrls: number;
  read(answer: AdResponseBytes): Promise<ParsedAdResponse>;
};

/** Sends a GET request without waiting for the response. It is not retried, and may be dropped under load. */
export type FireAndForget = (url: string, headers?: Readonly<Record<string, string>>, tenant?: string) => void;
