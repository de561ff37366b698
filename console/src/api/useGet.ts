// SPDX-License-Identifier: Apache-2.0
// What a page reads from the API: once when it opens, and at an interval while the page is visible.
import { focusManager, QueryClient, skipToken, useQuery } from '@tanstack/preact-query';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type ApiPath,
  type ApiRequest,
  type ApiResponse,
  call,
  callAll,
  type Data,
  type Entry,
  type ListPath,
} from './call.ts';

export type Loaded<T> = Pick<ApiResponse<T>, 'etag' | 'total' | 'next'> & {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether the data was read after this reader opened, not only by others before. */
  readonly isCurrent: boolean;
  reload(): void;
  /** Replaces the data with the response to a change, which is newer than anything that was read. */
  replace(response: ApiResponse<T>): void;
};

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

/** What to read; null reads nothing. It can be omitted if the operation requires nothing. */
type HookArguments<Request> = object extends Request
  ? [request?: Request | null, interval?: number]
  : [request: Request | null, interval?: number];

/** @param args the request, and an interval in milliseconds; without one, the request is sent once */
export const useGet = <Path extends ApiPath<'GET'>>(
  path: Path,
  ...[request, interval]: HookArguments<ApiRequest<'GET', Path>>
): Loaded<Data<'GET', Path>> =>
  useRead(request === null ? null : { path, request }, interval, (what, signal) =>
    call<'GET', Path>('GET', what.path, { ...(what.request as ApiRequest<'GET', Path>), signal }),
  );

/** All pages of a list. @param path null reads nothing */
export const useGetAll = <Path extends ListPath>(path: Path | null, interval?: number): Loaded<Entry<Path>[]> =>
  useRead(path, interval, (list, signal) => callAll<Path>(list, { signal }));

/** Whether the page is visible. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(() => focusManager.isFocused());
  useEffect(() => {
    // It may have changed since the first rendering.
    setVisible(focusManager.isFocused());
    return focusManager.subscribe(setVisible);
  }, []);
  return isVisible;
}

let ids = 0;

/**
 * Components that read the same at an interval share the requests. What is read once is of its reader alone: forms edit that
 * version.
 * @param what null reads nothing @param interval milliseconds; reads once when omitted
 */
function useRead<T, What extends string | object>(
  what: What | null,
  interval: number | undefined,
  read: (what: What, signal: AbortSignal) => Promise<ApiResponse<T>>,
): Loaded<T> {
  const isPolled = interval !== undefined;
  // A reader that stops polling keeps its data.
  const [owner] = useState(() => {
    if (isPolled) return 'polled';
    ids += 1;
    return ids;
  });
  const queryKey = [what, owner];
  const isVisible = useVisible();
  // A hidden page reads nothing. What is read once is finished, and stays as it is when the page is shown again.
  const known = client.getQueryState(queryKey);
  const isRead = !isPolled && (known?.data !== undefined || known?.fetchStatus === 'fetching');
  const query = useQuery(
    {
      queryKey,
      queryFn: what === null ? skipToken : ({ signal }) => read(what, signal),
      enabled: isVisible || isRead,
      staleTime: interval ?? 0,
      refetchInterval: interval ?? false,
      // What others have read may be older than a change that led here.
      refetchOnMount: 'always',
      refetchOnWindowFocus: isPolled,
    },
    client,
  );
  // While it is read again without data, the last error stays visible.
  const failure = useRef<{ readonly of: string; readonly error: unknown }>();
  const of = JSON.stringify(what);
  if (query.error !== null) failure.current = { of, error: query.error };
  else if (query.data !== undefined || failure.current?.of !== of) failure.current = undefined;
  const error = failure.current?.error;
  const response = query.data;
  const { refetch } = query;
  const reload = useCallback(() => {
    // `refetch` waits for a first read that is under way, which may be older than the change.
    if (client.getQueryData(queryKey) === undefined) void client.cancelQueries({ queryKey, exact: true });
    void refetch();
  }, [refetch, of, owner]);
  return {
    data: response?.body,
    etag: response?.etag ?? null,
    total: response?.total ?? null,
    next: response?.next ?? null,
    error,
    isLoading: what !== null && response === undefined && error === undefined,
    isCurrent: query.isFetchedAfterMount,
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
