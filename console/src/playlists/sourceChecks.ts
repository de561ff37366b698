// SPDX-License-Identifier: Apache-2.0
// The results of source checks until the page is reloaded. A long import is polled until it is finished.
import { useEffect, useState } from 'preact/hooks';
import type { ImportBody, ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import { ApiError, errorMessage } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { wait } from '../api/wait.ts';

const POLL_INTERVAL_MS = 2000;
let known: ReadonlyMap<string, ImportResponse> = new Map();
const listeners = new Set<() => void>();

export const isCheckable = (url: string): boolean => /^https?:\/\/[^\s/]+/i.test(url) && URL.canParse(url);

/** The latest result by URL. */
export const knownCheck = (url: string): ImportResponse | undefined => known.get(url);

function remember(result: ImportResponse, url: string): void {
  known = new Map(known).set(url, result);
  for (const listener of listeners) listener();
}

async function read(url: string, isFresh: boolean, signal: AbortSignal): Promise<ImportResponse> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const body: ImportBody = { url, isFresh: isFresh && attempt === 0 };
      const { body: result } = await call<ImportResponse>('POST', '/imports', { body, signal });
      if (result.state !== 'importing') return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const isRateLimited = error instanceof ApiError && error.status === 429;
      if (!isRateLimited) return { url, state: 'failed', reason: errorMessage(error) };
    }
    await wait(POLL_INTERVAL_MS, signal);
  }
}

/** Checks a source and keeps the result. @param isFresh imports it again @throws when `signal` is aborted */
export async function checkSource(url: string, isFresh: boolean, signal: AbortSignal): Promise<ImportResponse> {
  const result = await read(url, isFresh, signal);
  remember(result, url);
  return result;
}

/** Renders again when a source has been checked. */
export function useKnownChecks(): ReadonlyMap<string, ImportResponse> {
  const [checks, setChecks] = useState(known);
  useEffect(() => {
    const update = () => setChecks(known);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return checks;
}
