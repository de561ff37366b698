// SPDX-License-Identifier: Apache-2.0
// What a page reads from the API: once when it opens, and at an interval while the page is visible.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type ApiResponse, call, callAll, type RequestOptions } from './call.ts';

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly etag: string | null;
  readonly total: number | null;
  /** The cursor of the next page. */
  readonly next: string | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  reload(): void;
  /** Replaces the data with the response to a change, which is newer than anything that was read. */
  replace(response: ApiResponse<T>): void;
};

type State<T> = { readonly path: string | null; readonly response?: ApiResponse<T>; readonly error?: unknown };
type Reader<T> = (path: string, options: RequestOptions) => Promise<ApiResponse<T>>;

const readOne = <T>(path: string, options: RequestOptions): Promise<ApiResponse<T>> => call<T>('GET', path, options);

/** All pages of a list. */
export const useGetAll = <T extends { readonly id: string }>(path: string | null, interval?: number): Loaded<T[]> =>
  useGet<T[]>(path, interval, callAll);

/** @param path null reads nothing @param interval milliseconds; reads once when omitted */
export function useGet<T>(path: string | null, interval?: number, readWith: Reader<T> = readOne<T>): Loaded<T> {
  const [state, setState] = useState<State<T>>({ path });
  const [reloads, setReloads] = useState(0);
  const abort = useRef<AbortController>();

  useEffect(() => {
    if (path === null) return setState({ path });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const controller = new AbortController();
    abort.current = controller;
    const { signal } = controller;
    async function read() {
      try {
        const response = await readWith(path!, { signal });
        if (!signal.aborted) setState({ path, response });
      } catch (error) {
        // Data that was read before stays visible next to the error.
        if (!signal.aborted) setState((last) => (last.path === path ? { ...last, error } : { path, error }));
      }
      if (interval !== undefined && !signal.aborted) timer = setTimeout(readWhenVisible, interval);
    }
    function readWhenVisible() {
      if (!document.hidden) return void read();
      document.addEventListener('visibilitychange', () => void read(), { once: true, signal });
    }
    readWhenVisible();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [path, interval, reloads, readWith]);

  const reload = useCallback(() => setReloads((count) => count + 1), []);
  const replace = useCallback(
    (response: ApiResponse<T>) => {
      abort.current?.abort();
      setState({ path, response });
      if (interval !== undefined) reload();
    },
    [path, interval, reload],
  );
  const { response, error } = state.path === path ? state : { response: undefined, error: undefined };
  return {
    data: response?.body,
    etag: response?.etag ?? null,
    total: response?.total ?? null,
    next: response?.next ?? null,
    error,
    isLoading: path !== null && response === undefined && error === undefined,
    reload,
    replace,
  };
}

/** The last value that was not undefined: keeps data visible while data for another path is loading. */
export function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value);
  if (value !== undefined && value !== latest) setLatest(value);
  return value ?? latest;
}

/** How often pages request what changes without the operator. Milliseconds. */
export const POLL = {
  /** A channel that is coming on air or has a problem. */
  urgent: 3000,
  /** What is being processed or watched now. */
  active: 5000,
  normal: 10_000,
  slow: 15_000,
  minute: 60_000,
} as const;
