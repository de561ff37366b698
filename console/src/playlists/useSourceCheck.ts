// SPDX-License-Identifier: Apache-2.0
// Checks the source of an item when typing pauses.
import { useEffect, useState } from 'preact/hooks';
import type { ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import { wait } from '../api/wait.ts';
import { checkSource, isCheckable, knownCheck } from './sourceChecks.ts';

export type SourceCheck = {
  /** undefined before the first result */
  readonly result: ImportResponse | undefined;
  readonly isChecking: boolean;
  repeat(): void;
};

const TYPING_PAUSE_MS = 500;

export function useSourceCheck(url: string): SourceCheck {
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
  // An earlier result stays visible until there is a newer one.
  const result = current ?? knownCheck(url);
  const isChecking = isCheckable(url) && (result === undefined || (times > 0 && current === undefined));
  return { result, isChecking, repeat: () => setRepeated({ url, times: times + 1 }) };
}
