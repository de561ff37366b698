// What a page shows of the interface: read when it opens, and again and again while somebody looks.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, call } from './call.ts';

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly etag: string | null;
  readonly total: number | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
};

type State<T> = { readonly path: string | null; readonly answer?: Answer<T>; readonly error?: unknown };

/** @param path null reads nothing @param every milliseconds; read once when omitted */
export function useGet<T>(path: string | null, every?: number): Loaded<T> {
  const [state, setState] = useState<State<T>>({ path });
  const [turn, setTurn] = useState(0);
  const abort = useRef<AbortController>();

  useEffect(() => {
    if (path === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    async function read() {
      try {
        const answer = await call<T>('GET', path!, { signal });
        if (!signal.aborted) setState({ path, answer });
      } catch (error) {
        // What was read before stays in sight beside the error.
        if (!signal.aborted) setState((last) => (last.path === path ? { ...last, error } : { path, error }));
      }
      if (every !== undefined && !signal.aborted) timer = setTimeout(again, every);
    }
    function again() {
      if (!document.hidden) return void read();
      document.addEventListener('visibilitychange', () => void read(), { once: true, signal });
    }
    void read();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, every, turn]);

  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const { answer, error } = state.path === path ? state : { answer: undefined, error: undefined };
  return {
    data: answer?.body,
    etag: answer?.etag ?? null,
    total: answer?.total ?? null,
    error,
    isLoading: path !== null && answer === undefined && error === undefined,
    reload,
  };
}
