// SPDX-License-Identifier: Apache-2.0
// What containers of all kinds have in common: how long the URLs of players are valid, and the check that a player in a
// browser can read from a container.
import { type Dispatcher, request } from 'undici';
import type { CloudResult } from '../../blobs/ports.ts';
import { failure } from '../http/exchangeFailure.ts';

/** The blob that the check reads. */
export const PROBE = 'm/ready.txt';
/** A signed URL stays the same for this long, so that caches can reuse it, and remains valid for as long again. */
export const SIGNATURE_PERIOD_MS = 6 * 3_600_000;
export const MAX_CACHED_URLS = 20_000;
/** A blob never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

const PROBE_TIMEOUT_MS = 4000;
/** Stands for any web page: the check is that a page of a foreign origin may read blobs. */
const FOREIGN_ORIGIN = 'https://player.example';

export type ContainerFailure = Extract<CloudResult<never>, { ok: false }>;

/** A failure that an adapter of a container has detected. Never leaves it. */
export class ContainerError extends Error {
  readonly failure: ContainerFailure;
  constructor(failure: ContainerFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/** @throws {ContainerError} if a player in a browser cannot read it */
export async function readAsPlayer(url: string, dispatcher?: Dispatcher): Promise<void> {
  const { statusCode, headers, body } = await request(url, {
    ...(dispatcher ? { dispatcher } : {}),
    headers: { origin: FOREIGN_ORIGIN },
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  });
  await body.dump({ limit: 16 * 1024 }).catch(() => {});
  if (statusCode !== 200)
    throw new ContainerError(failure('httpStatus', `returned status ${statusCode} for a player's request`, statusCode));
  const allowed = String(headers['access-control-allow-origin'] ?? '');
  if (allowed !== '*' && allowed !== FOREIGN_ORIGIN)
    throw new ContainerError({ ok: false, reason: 'has no CORS rule that allows players in browsers to read' });
}
