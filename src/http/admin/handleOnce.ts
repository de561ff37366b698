// SPDX-License-Identifier: Apache-2.0
// Idempotency-Key: executes a POST request once, and returns the stored response when it is repeated. A request that has failed with
// a 4xx has changed nothing, so its key is free again. After a 5xx, or when the process was killed, it is unknown what the
// request has changed, so it is not executed again.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError, fieldError, validationError } from '../../errors.ts';
import type { ClaimedKey, IdempotencyStore, KeyedRequest } from '../../platform/access/rules/idempotency.ts';
import type { Millis } from '../../time/units.ts';
import { type Caller, type RouteResponse, readIdempotencyKey } from './request/route.ts';

const RETRY_SECONDS = 1;

type OnceDeps = {
  readonly idempotency: IdempotencyStore;
  readonly now: () => Millis;
  readonly warn: (error: unknown, message: string) => void;
};

const hash = (...parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64url');
};

/**
 * A response can contain a new key, so it is repeated only for the caller who got it, while their rights are the same.
 * @returns undefined without the header
 * @throws {AppError} MALFORMED
 */
export function keyedRequest(
  { tenant, scope, limits, actor }: Caller,
  { id, headers, method, url, body }: Pick<FastifyRequest, 'id' | 'headers' | 'method' | 'url' | 'body'>,
): KeyedRequest | undefined {
  const key = readIdempotencyKey(headers);
  if (key === undefined) return undefined;
  // Not the expiry: a key that replaces itself expires with the first request.
  const from = JSON.stringify([actor.kind, actor.id, scope, limits]);
  const sent = (body as Buffer | undefined) ?? new Uint8Array();
  const request = hash(method, url, headers['content-type'] ?? '', from, sent);
  return { tenant, keyHash: hash(key), request, requestId: id };
}

function refusal(claim: Exclude<ClaimedKey, { outcome: 'claimed' | 'completed' }>): AppError {
  switch (claim.outcome) {
    case 'otherRequest': {
      const message =
        'must be another key for another request; this one was sent with a different path or body, or by another caller';
      return validationError('Invalid request', [fieldError('unique', '/idempotency-key', message)], 'the header');
    }
    case 'running':
      return conflict('The first request with this Idempotency-Key is still running. Retry.', RETRY_SECONDS);
    case 'full':
      return new AppError('TOO_MANY_REQUESTS', 'Too many Idempotency-Keys in 24 hours. Send fewer, or none.');
    case 'notKept':
      return conflict(
        `The request with this Idempotency-Key was executed (request ${claim.requestId}), but its response was too long to be kept. Read the record.`,
      );
    case 'unknown':
      return conflict(
        `The outcome of the first request with this Idempotency-Key is unknown. Look for request ${claim.requestId} in the audit log, then send what is missing with another key.`,
      );
  }
}

const conflict = (message: string, retryAfter?: number) =>
  new AppError('CONFLICT', message, retryAfter === undefined ? {} : { retryAfter });

/** @throws what `execute` throws; {AppError} CONFLICT, VALIDATION_ERROR or TOO_MANY_REQUESTS if the key does not allow it */
export async function handleOnce(
  { idempotency, now, warn }: OnceDeps,
  request: KeyedRequest,
  execute: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const claim = await idempotency.claim(request, now());
  if (claim.outcome === 'completed') {
    const { status, headers, body } = claim.response;
    const json: unknown = body && JSON.parse(body);
    return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, json };
  }
  if (claim.outcome !== 'claimed') throw refusal(claim);
  try {
    const response = await execute();
    const { status, headers = {}, json } = response;
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    // The change was made. Without the stored response, a repetition is a 409.
    await idempotency
      .complete(request, { status, headers, ...body })
      .catch((error: unknown) => warn(error, 'response for an Idempotency-Key not stored'));
    return response;
  } catch (error) {
    const isUnchanged = error instanceof AppError && error.status < 500;
    const settled = isUnchanged ? idempotency.release(request) : idempotency.giveUp(request);
    await settled.catch((failure: unknown) => warn(failure, 'outcome for an Idempotency-Key not stored'));
    throw error;
  }
}
