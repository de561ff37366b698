// What the interface finds at a source, asked a moment after somebody has stopped typing and remembered for the page's
// life. A long import is asked for again until it is done.
import { useEffect, useState } from 'preact/hooks';
import type { ImportAnswer } from '../../../src/http/consoleContract.ts';
import { ApiError, messageOf } from '../api/apiError.ts';
import { call } from '../api/call.ts';

export type SourceCheck = {
  /** undefined while nothing is known yet. */
  readonly found: ImportAnswer | undefined;
  readonly isChecking: boolean;
  again(): void;
};

const PAUSE_MS = 500;
const ASK_AGAIN_MS = 2000;
const remembered = new Map<string, ImportAnswer>();

const isAddress = (url: string): boolean => /^https?:\/\/[^\s/]+/i.test(url) && URL.canParse(url);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function ask(url: string, isFresh: boolean, signal: AbortSignal): Promise<ImportAnswer> {
  for (let turn = 0; ; turn += 1) {
    try {
      const body = { url, isFresh: isFresh && turn === 0 };
      const { body: found } = await call<ImportAnswer>('POST', '/imports', { body, signal });
      if (found.state !== 'importing') return found;
    } catch (error) {
      if (signal.aborted) throw error;
      const isBusy = error instanceof ApiError && error.status === 429;
      if (!isBusy) return { url, state: 'failed', reason: messageOf(error) };
    }
    await wait(ASK_AGAIN_MS);
    signal.throwIfAborted();
  }
}

export function useSourceCheck(url: string): SourceCheck {
  /** The address that is to be read anew, and which time that is. */
  const [anew, setAnew] = useState<{ url: string; turn: number }>();
  const [state, setState] = useState<{ url: string; found?: ImportAnswer }>({ url });
  const turn = anew?.url === url ? anew.turn : 0;
  useEffect(() => {
    const known = remembered.get(url);
    if (!isAddress(url) || (known !== undefined && turn === 0)) return;
    const controller = new AbortController();
    const { signal } = controller;
    setState({ url });
    wait(turn === 0 ? PAUSE_MS : 0)
      .then(async () => {
        signal.throwIfAborted();
        const found = await ask(url, turn > 0, signal);
        if (found.state === 'ready') remembered.set(url, found);
        setState({ url, found });
      })
      .catch(() => {});
    return () => controller.abort();
  }, [url, turn]);
  const read = state.url === url ? state.found : undefined;
  // What was found before stays until there is something newer.
  const found = read ?? remembered.get(url);
  const isChecking = isAddress(url) && (found === undefined || (turn > 0 && read === undefined));
  return { found, isChecking, again: () => setAnew({ url, turn: turn + 1 }) };
}
