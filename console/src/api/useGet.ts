// What a page shows of the interface: read when it opens, and again and again while somebody looks.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, type CallOptions, call, callAll } from './call.ts';

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly etag: string | null;
  readonly total: number | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
  /** What an answer to a change says is newer than whatever was read. */
  take(answer: Answer<T>): void;
};

type State<T> = { readonly path: string | null; readonly answer?: Answer<T>; readonly error?: unknown };
type Reading<T> = (path: string, options: CallOptions) => Promise<Answer<T>>;

const readOne = <T>(path: string, options: CallOptions): Promise<Answer<T>> => call<T>('GET', path, options);

/** A list with all of its pages. */
export const useGetAll = <T extends { readonly id: string }>(path: string | null, every?: number): Loaded<T[]> =>
  useGet<T[]>(path, every, callAll);

/** @param path null reads nothing, and forgets @param every milliseconds; read once when omitted */
export function useGet<T>(path: string | null, every?: number, readWith: Reading<T> = readOne<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ path });
  const [turn, setTurn] = useState(0);
  const abort = useRef<AbortController>();

  useEffect(() => {
    if (path === null) return setState({ path });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    async function read() {
      try {
        const answer = await readWith(path!, { signal });
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
    again();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, every, turn, readWith]);

  const reload = useCallback(() => setTurn((count) => count + 1), []);
  const take = useCallback(
    (answer: Answer<T>) => {
      abort.current?.abort();
      setState({ path, answer });
      if (every !== undefined) reload();
    },
    [path, every, reload],
  );
  const { answer, error } = state.path === path ? state : { answer: undefined, error: undefined };
  return {
    data: answer?.body,
    etag: answer?.etag ?? null,
    total: answer?.total ?? null,
    error,
    isLoading: path !== null && answer === undefined && error === undefined,
    reload,
    take,
  };
}
