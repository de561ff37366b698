// SPDX-License-Identifier: Apache-2.0
// Checks the source of an item when typing pauses, and caches the result until the page is reloaded. A long import is
// polled until it is finished.
import { useEffect, useState } from 'preact/hooks';
import type { ImportBody, ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import { ApiError, errorMessage } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { wait } from '../api/wait.ts';

export type SourceCheck = {
  /** undefined before the first result */
  readonly result: ImportResponse | undefined;
  readonly isChecking: boolean;
  repeat(): void;
};

const TYPING_PAUSE_MS = 500;
const POLL_INTERVAL_MS = 2000;
const cache = new Map<string, ImportResponse>();

const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+/i.test(text) && URL.canParse(text);

async function check(url: string, isFresh: boolean, signal: AbortSignal): Promise<ImportResponse> {
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

export function useSourceCheck(url: string): SourceCheck {
  /** How often the check of a URL was repeated. */
  const [repeated, setRepeated] = useState<{ url: string; times: number }>();
  const [state, setState] = useState<{ url: string; result?: ImportResponse }>({ url });
  const times = repeated?.url === url ? repeated.times : 0;
  useEffect(() => {
    if (!isUrl(url) || (cache.has(url) && times === 0)) return;
    const controller = new AbortController();
    const { signal } = controller;
    setState({ url });
    wait(times === 0 ? TYPING_PAUSE_MS : 0, signal)
      .then(async () => {
        const result = await check(url, times > 0, signal);
        if (result.state === 'ready') cache.set(url, result);
        setState({ url, result });
      })
      .catch(() => {});
    return () => controller.abort();
  }, [url, times]);
  const current = state.url === url ? state.result : undefined;
  // An earlier result stays visible until there is a newer one.
  const result = current ?? cache.get(url);
  const isChecking = isUrl(url) && (result === undefined || (times > 0 && current === undefined));
  return { result, isChecking, repeat: () => setRepeated({ url, times: times + 1 }) };
}
