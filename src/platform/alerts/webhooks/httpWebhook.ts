// SPDX-License-Identifier: Apache-2.0
// Sends a delivery to a webhook: one POST without redirects. Of the response, only the status and the start of an error's body
// are read. When a delivery is retried is decided in src/platform/alerts/webhooks.
import { type Dispatcher, request } from 'undici';
import { type ExchangeFailure, ExchangeStopped, explainFailure } from '../../../adapters/http/exchangeFailure.ts';
import { readHttpUrl } from '../../../adapters/http/followRedirects.ts';
import { takeCredentials } from '../../../adapters/http/urlCredentials.ts';
import { systemTimers } from '../../../adapters/systemClock.ts';
import type { Timers } from '../../../time/clock.ts';
import type { SendResult } from './delivery.ts';
import type { SendWebhook } from './ports.ts';

const TIMEOUT_MS = 15_000;
const MAX_EXCERPT_BYTES = 2000;
const MAX_EXCERPT_CHARACTERS = 500;

/** The URL itself cannot be requested, so a retry would fail, too. */
const PERMANENT = new Set<ExchangeFailure['error']>(['badUrl']);

type Body = Dispatcher.ResponseData['body'];

/** As much as arrives before the deadline. */
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

async function readResponse({
  statusCode: status,
  body,
}: Dispatcher.ResponseData): Promise<Omit<SendResult, 'durationMs'>> {
  // After the last read, errors of the body are of no interest.
  body.on('error', () => {});
  try {
    if (status >= 200 && status < 300) return { status };
    const excerpt = await excerptOf(body);
    const note = status >= 300 && status < 400 ? '; redirects are not followed' : '';
    return { status, reason: `returned status ${status}${note}`, ...(excerpt === '' ? {} : { excerpt }) };
  } finally {
    body.destroy();
  }
}

/** @param guard the dispatcher of createEgressGuard */
export function createHttpWebhook(
  guard: Dispatcher,
  { timeoutMs = TIMEOUT_MS, timers = systemTimers }: { timeoutMs?: number; timers?: Timers } = {},
): SendWebhook {
  return async ({ url, headers, body }) => {
    const startedAt = timers.elapsed();
    const deadline = new AbortController();
    // A response that arrived while this process was busy is read first: the receiver was not late.
    const timer = timers.after(timeoutMs, () =>
      setImmediate(() => deadline.abort(new ExchangeStopped('timeout', 'did not respond in time'))),
    );
    const ended = (result: Omit<SendResult, 'durationMs'>): SendResult => ({
      durationMs: Math.round(timers.elapsed() - startedAt),
      ...result,
    });
    try {
      const options = { dispatcher: guard, method: 'POST', headersTimeout: 0, bodyTimeout: 0 } as const;
      const target = readHttpUrl(url);
      const all = { 'user-agent': 'Midroll', ...takeCredentials(target), ...headers };
      const response = await request(target, { ...options, headers: all, body, signal: deadline.signal });
      return ended(await readResponse(response));
    } catch (error) {
      const { error: code, reason } = explainFailure(deadline.signal.aborted ? deadline.signal.reason : error);
      return ended({ reason, ...(PERMANENT.has(code) ? { isPermanent: true as const } : {}) });
    } finally {
      timer.cancel();
    }
  };
}
