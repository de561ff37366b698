// SPDX-License-Identifier: Apache-2.0
// Checks the source of an item when typing pauses.
import { useEffect, useState } from 'preact/hooks';
import type { ImportBody, ImportResponse, SourceMix } from '../../../src/http/contract/consoleContract.ts';
import { ApiError, errorMessage } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { wait } from '../api/wait.ts';
import { createStore } from '../stores/createStore.ts';

export type SourceCheck = ReturnType<typeof useSourceCheck>;

const TYPING_PAUSE_MS = 500;

export function useSourceCheck(url: string) {
  /** How often the check of a URL was repeated. */
  const [repeated, setRepeated] = useState<{ url: string; times: number }>();
  const [state, setState] = useState<{ url: string; result?: ImportResponse }>({ url });
  const times = repeated?.url === url ? repeated.times : 0;
  useEffect(() => {
    if (!isCheckable(url) || (knownCheck(url)?.state === 'ready' && times === 0)) return;
    const controller = new AbortController();
    const { signal } = controller;
    setState({ url });
    wait(times === 0 ? TYPING_PAUSE_MS : 0, signal)
      .then(async () => {
        setState({ url, result: await checkSource(url, times > 0, signal) });
      })
      .catch(() => {});
    return () => controller.abort();
  }, [url, times]);
  const current = state.url === url ? state.result : undefined;
  // An earlier result stays visible until there is a newer one. It is undefined before the first one.
  const result = current ?? knownCheck(url);
  const isChecking = isCheckable(url) && (result === undefined || (times > 0 && current === undefined));
  return { result, isChecking, repeat: () => setRepeated({ url, times: times + 1 }) };
}

// The results of source checks until the page is reloaded. A long import is polled until it is finished.

const POLL_INTERVAL_MS = 2000;
const checks = createStore<ReadonlyMap<string, ImportResponse>>(new Map());

export const isCheckable = (url: string): boolean => /^https?:\/\/[^\s/]+/i.test(url) && URL.canParse(url);

/** The latest result by URL. */
const knownCheck = (url: string): ImportResponse | undefined => checks.read().get(url);

async function read(url: string, isFresh: boolean, signal: AbortSignal): Promise<ImportResponse> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const body: ImportBody = { url, isFresh: isFresh && attempt === 0 };
      const { body: result } = await call('POST', '/imports', { body, signal });
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
  checks.write(new Map(checks.read()).set(url, result));
  return result;
}

/** Renders again when a source has been checked. */
export const useKnownChecks = (): ReadonlyMap<string, ImportResponse> => checks.use();

/** Which of these sources a channel would leave out. @returns undefined until that is known, and for less than two */
export function useSourceMix(urls: readonly string[]): SourceMix | undefined {
  const [found, setFound] = useState<{ readonly key: string; readonly mix: SourceMix }>();
  const key = urls.join('\n');
  useEffect(() => {
    if (!key.includes('\n')) return;
    const controller = new AbortController();
    const { signal } = controller;
    wait(TYPING_PAUSE_MS, signal)
      .then(async () => {
        const { body: mix } = await call('POST', '/imports/mix', { body: { urls: key.split('\n') }, signal });
        setFound({ key, mix });
      })
      // A warning less: planning the channel reports the same.
      .catch(() => {});
    return () => controller.abort();
  }, [key]);
  return found?.key === key ? found.mix : undefined;
}
