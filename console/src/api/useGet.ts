// SPDX-License-Identifier: Apache-2.0
// What a page reads from the API: once when it opens, and at an interval while the page is visible.
import { QueryClient, useQuery } from '@tanstack/preact-query';
import { useCallback, useRef, useState } from 'preact/hooks';
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

type Reader<T> = (path: string, options: RequestOptions) => Promise<ApiResponse<T>>;

const readOne = <T>(path: string, options: RequestOptions): Promise<ApiResponse<T>> => call<T>('GET', path, options);

const client = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: false,
      refetchOnReconnect: false,
      // A page that is opened again reads again. Milliseconds.
      gcTime: 1000,
      structuralSharing: false,
    },
  },
});
// Reads what is due when the page is shown again.
client.mount();

/** All pages of a list. */
export const useGetAll = <T extends { readonly id: string }>(path: string | null, interval?: number): Loaded<T[]> =>
  useGet<T[]>(path, interval, callAll);

let ids = 0;

/**
 * Components that read the same path at an interval share the requests. What is read once is of its reader alone: forms edit
 * that version.
 * @param path null reads nothing @param interval milliseconds; reads once when omitted
 */
export function useGet<T>(path: string | null, interval?: number, readWith: Reader<T> = readOne<T>): Loaded<T> {
  const [id] = useState(() => (ids += 1));
  const isPolled = interval !== undefined;
  const queryKey = [path, readWith === callAll, isPolled ? 'polled' : id];
  const query = useQuery(
    {
      queryKey,
      queryFn: ({ signal }) => readWith(path ?? '', { signal }),
      enabled: path !== null,
      staleTime: interval ?? 0,
      refetchInterval: interval ?? false,
      refetchOnWindowFocus: isPolled,
    },
    client,
  );
  // While it is read again without data, the last error stays visible.
  const failure = useRef<{ readonly path: string | null; readonly error: unknown }>();
  if (query.error !== null) failure.current = { path, error: query.error };
  else if (query.data !== undefined || failure.current?.path !== path) failure.current = undefined;
  const error = failure.current?.error;
  const response = query.data;
  const { refetch } = query;
  const reload = useCallback(() => void refetch(), [refetch]);
  return {
    data: response?.body,
    etag: response?.etag ?? null,
    total: response?.total ?? null,
    next: response?.next ?? null,
    error,
    isLoading: path !== null && response === undefined && error === undefined,
    reload,
    replace(newer) {
      void client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, newer);
      if (isPolled) reload();
    },
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
