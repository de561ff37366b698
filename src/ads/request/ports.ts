// What the ads need of the world outside: somebody's ad server, and URLs that want to be told of an error. Implemented
// by adapters/httpAdServer and adapters/fireAndForget behind the egress guard.

import type { AdResponseBytes, ParsedAdResponse } from '../../vast/read/readAdResponse.ts';

export type AdRequest = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Every way in which asking goes wrong. */
export type ExchangeError =
  | 'badUrl'
  /** The egress guard does not let us talk to this address. */
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
  /** No HTTP, or a body that its content-encoding does not fit. */
  | 'garbage'
  /** Not asked: too many are waiting for this server. */
  | 'busy'
  /** Not asked: the server failed several times in a row and is left alone for a moment. */
  | 'resting'
  | 'cancelled'
  /** What came could not be written to the disk. */
  | 'notStored'
  | 'failed';

type AdRequestLimits = {
  /** For the whole exchange, redirects and body included. */
  readonly timeoutMs: number;
  /** Of the answer, decoded; where it is less than the server allows by itself. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
};

export type AdServerResponse =
  | {
      readonly ok: true;
      /** After redirects: relative URIs are resolved against it. */
      readonly url: string;
      readonly status: number;
      readonly ms: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
    }
  | {
      readonly ok: false;
      readonly error: ExchangeError;
      /** A predicate of the server without secrets, e.g. `answered 503`. */
      readonly reason: string;
      readonly status?: number;
      readonly ms: number;
    };

export type AdServer = {
  /** Never throws for trouble outside, and answers within the time allowed. */
  send(request: AdRequest, limits: AdRequestLimits): Promise<AdServerResponse>;
};

/** Reads what an ad server sent. An answer that could not be read in time, among others, is a refusal. */
export type AdResponseReader = {
  /** Tracking URLs for each event of an ad. */
  readonly maxUrls: number;
  read(answer: AdResponseBytes): Promise<ParsedAdResponse>;
};

/** Sends a GET and forgets it: nobody waits, nothing is retried, under load some are dropped. */
export type FireAndForget = (url: string, headers?: Readonly<Record<string, string>>) => void;
