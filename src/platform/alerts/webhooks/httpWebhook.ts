// SPDX-License-Identifier: Apache-2.0
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { explainFailure } from '../../../adapters/http/exchangeFailure.ts';
import { readHttpUrl, takeCredentials, withDeadline } from '../../../adapters/http/followRedirects.ts';
import { type Body, type HopResponse, sendHop } from '../../../adapters/http/sendHop.ts';
import { systemTimers } from '../../../adapters/systemClock.ts';
import type { ExchangeFailure } from '../../../ads/request/ports.ts';
import type { Timers } from '../../../time/clock.ts';
import type { SendResult } from './delivery.ts';
import type { SendAs } from './ports.ts';

const TIMEOUT_MS = 15_000;
const MAX_EXCERPT_BYTES = 2000;
const MAX_EXCERPT_CHARACTERS = 500;

/** The URL itself cannot be requested, so a retry would fail, too. */
const PERMANENT = new Set<ExchangeFailure['error']>(['badUrl']);

/** As much of the body as arrives before the deadline. */
async function excerptOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_EXCERPT_BYTES) break;
    }
  } catch {
    // The status is known.
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_EXCERPT_BYTES).toString('utf8');
  return text
    .replaceAll(/[\s\p{Cc}\p{Cs}\uFFFD]+/gu, ' ')
    .trim()
    .slice(0, MAX_EXCERPT_CHARACTERS);
}

async function readResponse({ status, body }: HopResponse): Promise<Omit<SendResult, 'durationMs'>> {
  // After the last read, errors of the body are of no interest.
  if (body instanceof Readable) body.on('error', () => {});
  try {
    if (status >= 200 && status < 300) return { status };
    const excerpt = await excerptOf(body);
    const note = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { status, reason: `returned status ${status}${note}`, ...(excerpt === '' ? {} : { excerpt }) };
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

/** @param guard the dispatcher of createEgressGuard */
export function createHttpWebhook(
  guard: Dispatcher,
  { timeoutMs: ms = TIMEOUT_MS, timers = systemTimers }: { timeoutMs?: number; timers?: Timers } = {},
): SendAs<'http'> {
  return async ({ url: text, headers: own, body }) => {
    const startedAt = timers.elapsed();
    const work = async (signal: AbortSignal) => {
      const url = readHttpUrl(text);
      const headers = { 'user-agent': 'Midroll', ...takeCredentials(url), ...own };
      const options = { signal, bodies: { as: 'anyStream' }, retriesResets: false } as const;
      return readResponse(await sendHop(guard, { url, method: 'POST', headers, body }, options));
    };
    const failed = (error: unknown) => {
      const { error: code, reason } = explainFailure(error);
      return { reason, ...(PERMANENT.has(code) ? { isPermanent: true as const } : {}) };
    };
    const result = await withDeadline<Omit<SendResult, 'durationMs'>>(
      { timers, ms, reason: 'did not respond in time' },
      work,
      failed,
    );
    return { durationMs: Math.round(timers.elapsed() - startedAt), ...result };
  };
}
