// SPDX-License-Identifier: Apache-2.0
// Requests with an Idempotency-Key: the first one with a key is executed, repetitions get its response. Implemented in
// src/platform/access/store.
import type { Millis } from '../../../time/units.ts';

export const IDEMPOTENCY_KEPT_MS = 24 * 3_600_000;
/** A request that has not ended after this was cut off with its process. No route takes that long. */
export const RUNNING_MS = 120_000;
/** Limits of a tenant: keys, and characters of stored responses. */
export const MAX_KEYS = 10_000;
export const MAX_RESPONSES = 64 * 1024 * 1024;
/** Longer responses are not stored. */
export const MAX_RESPONSE = 2 * 1024 * 1024;

export type KeyedRequest = {
  readonly tenant: string;
  /** SHA-256 of the Idempotency-Key. */
  readonly keyHash: string;
  /** SHA-256 of the method, the path, the query and the body. */
  readonly request: string;
  readonly requestId: string;
};

export type StoredResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without a body. */
  readonly body?: string;
};

export type ClaimedKey =
  /** The caller executes the request. */
  | { readonly outcome: 'claimed' }
  | { readonly outcome: 'completed'; readonly response: StoredResponse }
  /** The response was too long to be stored. */
  | { readonly outcome: 'notKept'; readonly requestId: string }
  | { readonly outcome: 'otherRequest' }
  | { readonly outcome: 'running' }
  /** The process ended, or the request failed with a 5xx. */
  | { readonly outcome: 'unknown'; readonly requestId: string }
  | { readonly outcome: 'full' };

export type IdempotencyStore = {
  claim(request: KeyedRequest, now: Millis): Promise<ClaimedKey>;
  /** Stores the response. */
  complete(request: KeyedRequest, response: StoredResponse): Promise<void>;
  /** The outcome of the request cannot be known. */
  giveUp(request: KeyedRequest): Promise<void>;
  /** The request has changed nothing, so the key can be used again. */
  release(request: KeyedRequest): Promise<void>;
  /** Deletes a bounded number of old keys. @returns whether there are more */
  removeOld(now: Millis): Promise<boolean>;
};
