// SPDX-License-Identifier: Apache-2.0
// The timeline of a channel in a range, page by page: what has been loaded is shown while the rest is loading. Pages are
// condensed as they come, so that their entries need no memory.

import { useEffect, useState } from 'preact/hooks';
import type { TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { type Loaded, POLL } from '../api/useGet.ts';
import { wait } from '../api/wait.ts';
import { addEntries, emptySchedule, type Schedule } from './condense.ts';
import { type Row, spanOf } from './scheduleView.ts';

export type TimelineRange = {
  readonly schedule: Schedule;
  readonly editions: NonNullable<TimelineResponse['editions']>;
  /** From when on the schedule is known. */
  readonly knownFrom?: string;
  /** The start of the first entry that was not loaded. */
  readonly next?: string;
  /** How many requests it took. */
  readonly pages: number;
};
/** Without data before the first page. */
type LoadedTimeline = Pick<Loaded<TimelineRange>, 'data' | 'isLoading' | 'error' | 'reload'>;

/** The most that the API returns. */
const PAGE_SIZE = 5000;
/** Bounds what one view costs: 200,000 entries are a week of titles of three seconds. */
const MAX_PAGES = 40;
/** The most pages that are read again while the page is open. What takes more is read again when something changes. */
const MAX_REPEATED = 2;

type State = {
  readonly key: string;
  readonly data?: TimelineRange;
  readonly isComplete?: boolean;
  readonly error?: unknown;
};

async function* pagesOf(channelId: string, rows: readonly Row[], signal: AbortSignal) {
  let schedule = emptySchedule(rows);
  let first: TimelineResponse | undefined;
  const { from, to } = spanOf(rows);
  let start = String(from);
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { from: start, to: String(to), limit: PAGE_SIZE };
    const { body } = await call('GET', '/channels/{id}/timeline', { path: { id: channelId }, query, signal });
    const { entries, knownFrom, next } = body;
    // Later pages repeat the changes after their start.
    first ??= body;
    schedule = addEntries(schedule, entries);
    const data: TimelineRange = {
      schedule,
      editions: first.editions ?? [],
      pages: page,
      ...(knownFrom === undefined ? {} : { knownFrom }),
      ...(next === undefined ? {} : { next }),
    };
    yield data;
    if (next === undefined) return;
    start = next;
  }
}

/** Whether the schedule has changed since it was read. Its changes are listed for the whole range, whatever the limit. */
async function hasChanged(channelId: string, rows: readonly Row[], { editions }: TimelineRange, signal: AbortSignal) {
  const { from, to } = spanOf(rows);
  const query = { from: String(from), to: String(to), limit: 1 };
  const { body } = await call('GET', '/channels/{id}/timeline', { path: { id: channelId }, query, signal });
  return JSON.stringify(body.editions ?? []) !== JSON.stringify(editions);
}

/** @param rows the range */
export function useTimeline(channelId: string, rows: readonly Row[]): LoadedTimeline {
  const { from, to } = spanOf(rows);
  const key = `${channelId} ${from} ${to} ${rows.length}`;
  const [state, setState] = useState<State>({ key });
  const [reloads, setReloads] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    /** What was last read to its end. */
    let complete: TimelineRange | undefined;
    async function read(isFirst: boolean) {
      try {
        const long = complete !== undefined && complete.pages > MAX_REPEATED ? complete : undefined;
        let last = long && !(await hasChanged(channelId, rows, long, signal)) ? long : undefined;
        if (last === undefined)
          for await (const data of pagesOf(channelId, rows, signal)) {
            last = data;
            // A repeated request replaces what is shown once it is complete.
            if (isFirst && !signal.aborted) setState({ key, data });
          }
        complete = last;
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
