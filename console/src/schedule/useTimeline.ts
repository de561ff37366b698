// SPDX-License-Identifier: Apache-2.0
// The timeline of a channel in a range, page by page: what has been loaded is shown while the rest is loading.
import { useEffect, useState } from 'preact/hooks';
import type { TimelineEntry, TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { call } from '../api/call.ts';
import { POLL } from '../api/pollIntervals.ts';
import { serverNow } from '../api/serverClock.ts';
import { wait } from '../api/wait.ts';

export type TimelineRange = {
  readonly entries: readonly TimelineEntry[];
  readonly editions: NonNullable<TimelineResponse['editions']>;
  /** From when on the schedule is known. */
  readonly knownFrom?: string;
  /** The start of the first entry that was not loaded. */
  readonly next?: string;
};
export type LoadedTimeline = {
  /** undefined before the first page */
  readonly data: TimelineRange | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  reload(): void;
};

const PAGE_SIZE = 2000;
/** Bounds what one view costs. A channel with shorter entries is shown in part. */
const MAX_PAGES = 5;

type State = {
  readonly key: string;
  readonly data?: TimelineRange;
  readonly isComplete?: boolean;
  readonly error?: unknown;
};

async function* pagesOf(channelId: string, from: number, to: number, signal: AbortSignal) {
  let data: TimelineRange = { entries: [], editions: [] };
  let start = String(from);
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ from: start, to: String(to), limit: String(PAGE_SIZE) });
    const path = `/channels/${encodeURIComponent(channelId)}/timeline?${query}`;
    const { body } = await call<TimelineResponse>('GET', path, { signal });
    const { entries, editions = [], knownFrom, next } = body;
    data = {
      entries: [...data.entries, ...entries],
      // Later pages repeat the changes after their start.
      editions: page === 0 ? editions : data.editions,
      ...(knownFrom === undefined ? {} : { knownFrom }),
      ...(next === undefined ? {} : { next }),
    };
    yield data;
    if (next === undefined) return;
    start = next;
  }
}

/** @param from and `to` in milliseconds */
export function useTimeline(channelId: string, from: number, to: number): LoadedTimeline {
  const key = `${channelId} ${from} ${to}`;
  const [state, setState] = useState<State>({ key });
  const [reloads, setReloads] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function read(isFirst: boolean) {
      try {
        let last: TimelineRange | undefined;
        for await (const data of pagesOf(channelId, from, to, signal)) {
          last = data;
          // A repeated request replaces what is shown once it is complete.
          if (isFirst && !signal.aborted) setState({ key, data });
        }
        if (!signal.aborted && last) setState({ key, data: last, isComplete: true });
      } catch (error) {
        if (!signal.aborted) setState((before) => (before.key === key ? { ...before, error } : { key, error }));
      }
    }
    async function follow() {
      await read(true);
      // The past does not change.
      while (!signal.aborted && serverNow() < to) {
        await wait(POLL.slow, signal);
        if (!document.hidden) await read(false);
      }
    }
    follow().catch(() => {});
    return () => controller.abort();
  }, [key, reloads]);
  const { data, isComplete, error } = state.key === key ? state : ({} as Partial<State>);
  return {
    data,
    isLoading: !isComplete && error === undefined,
    error,
    reload: () => setReloads((count) => count + 1),
  };
}
