// SPDX-License-Identifier: Apache-2.0
// The states of creatives and slate as this process knows them: finished, in the queue, or failed. Lookups are served from
// memory. New requests are written to the queue in batches, and the states of jobs in the queue are polled in batches.
// Workers (creativeWorker.ts) make the media, in this process or another one.
import { LRUCache } from 'lru-cache';
import type {
  CreativeFailure,
  CreativeLibrary,
  CreativeRequester,
  CreativeState,
} from '../../ads/creative/creative.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { shareNext } from '../../time/shareNext.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';
import { mediaId, slateId } from '../condition/plan/planEncode.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import { type CreativeJobs, type JobStatus, summarizeMedia, URGENCY } from './creativeJobs.ts';

/** Creatives that this process waits for at the same time. An ad server may return new ones without end. */
const MAX_AWAITED = 200;

const failed = (reason: string): CreativeState => ({ state: 'failed', fault: 'NOT_MADE', reason });
const unknown = failed('it has not been requested');
const busy = failed(`${MAX_AWAITED} other creatives are waiting to be prepared; it will be requested again`);
const outage = failed('the store is unavailable, so it could not be added to the queue');
const unread = failed('the object store of media is unavailable, so Midroll cannot check whether it exists');
const deleted = failed('it was deleted while it was waiting to be prepared');
const stopping = failed('the process is shutting down');

/** False for a creative that was deleted, retried or made since. @param queued undefined if there is no job */
const isCurrent = ({ state }: CreativeState, queued: JobStatus | undefined): boolean =>
  state === 'ready' ? queued?.state === 'ready' : queued?.reason !== undefined && queued.state !== 'ready';

type CreativeLibraryOptions = {
  readonly mediaStore: Pick<MediaStore, 'find' | 'load'>;
  readonly jobs: Pick<CreativeJobs, 'enqueue' | 'states' | 'queuedBefore'>;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Called when jobs were added to the queue, so that a worker of this process can take one immediately. */
  readonly onEnqueued?: () => void;
};

export type WatchedLibrary = ReturnType<typeof createCreativeLibrary>;

const POLL_MS = 400;
/** How long states are cached, in milliseconds. */
const CACHE_MS = { ready: 600_000, unavailable: 10_000, failed: { least: 2000, most: 60_000 } };
/** After this many polls, media that are ready according to the queue but missing in the media store count as lost. */
const POLLS_UNTIL_LOST = 10;
/** Milliseconds after which another request for a creative in the queue is written to the queue again. */
const REQUEST_AGAIN_MS = 30_000;
/** The position in the queue is read in every fourth poll. */
const POLLS_PER_POSITION = 4;

export function createCreativeLibrary(options: CreativeLibraryOptions) {
  const { mediaStore, jobs, now, timers, warn } = options;
  const entries = new LRUCache<string, Entry>({ max: 10_000 });
  const awaited = new Map<string, Entry>();
  const unwritten: { readonly entry: Entry; readonly owner?: CreativeRequester }[] = [];
  let timer: Timer | undefined;
  let polls = 0;
  let isClosed = false;

  const settle = (entry: Entry, state: CreativeState, until: number): void => {
    entry.until = until;
    entry.state = state;
    awaited.delete(entry.order.id);
    entry.settle(state);
  };

  function begin(order: ConditionOrder, urgency: number, failure?: CreativeFailure): Entry {
    const entry = newEntry(order, urgency, failure);
    entries.set(order.id, entry);
    const media = mediaStore.find(order.id)?.media;
    if (media !== undefined) settle(entry, { state: 'ready', media }, now() + CACHE_MS.ready);
    else if (awaited.size >= MAX_AWAITED && order.kind !== 'slate') settle(entry, busy, now() + CACHE_MS.unavailable);
    else awaited.set(order.id, entry);
    return entry;
  }

  /** Writes the request to the queue in a moment, together with others. */
  function write(entry: Entry, owner?: CreativeRequester): void {
    if (isClosed) return;
    entry.requestedAt = now();
    unwritten.push({ entry, ...(owner ? { owner } : {}) });
    if (unwritten.length === 1) queueMicrotask(() => void flush());
  }

  /** Leaves out creatives that other nodes may have made: without their media, finished jobs would be made again. */
  async function withKnownMedia(writing: typeof unwritten): Promise<typeof unwritten> {
    const isKnown = await mediaStore.load(writing.map(({ entry }) => entry.order.id));
    if (isKnown) return writing;
    const found = writing.filter(({ entry }) => mediaStore.find(entry.order.id) !== undefined);
    for (const { entry } of writing.filter((one) => !found.includes(one)))
      if (awaited.has(entry.order.id)) settle(entry, unread, now() + CACHE_MS.unavailable);
    return found;
  }

  async function flush(): Promise<void> {
    const writing = await withKnownMedia(unwritten.splice(0));
    if (writing.length === 0) return;
    const requests = writing.map(({ entry: { order, urgency }, owner }) => {
      const packaged = mediaStore.find(order.id);
      return {
        order,
        urgency,
        ...(owner ? { owner } : {}),
        ...(packaged ? { made: summarizeMedia(packaged, order.ladder) } : {}),
      };
    });
    try {
      await jobs.enqueue(requests, now());
      for (const { entry } of writing) entry.isQueued = true;
    } catch (error) {
      warn('creatives could not be added to the queue', { error });
      for (const { entry } of writing)
        if (awaited.has(entry.order.id)) settle(entry, outage, now() + CACHE_MS.unavailable);
    }
    if (awaited.size === 0) return;
    options.onEnqueued?.();
    await poll(); // jobs that failed before have a state already
    schedule();
  }

  function schedule(): void {
    if (isClosed || timer !== undefined || awaited.size === 0) return;
    timer = timers.after(POLL_MS, () => {
      timer = undefined;
      void poll().then(schedule);
    });
  }

  /** Polls the queue now, for example because a worker of this process has finished a job. */
  const poll = shareNext(() =>
    pollOnce().catch((error: unknown) => warn('the states of creatives could not be read', { error })),
  );

  const statesOf = async (ids: readonly string[]) =>
    new Map((await jobs.states(ids)).map((status) => [status.id, status]));

  async function pollOnce(): Promise<void> {
    const queued = [...awaited.values()].filter(({ isQueued }) => isQueued);
    if (queued.length === 0) return;
    const found = await statesOf(queued.map(({ order }) => order.id));
    const made = queued.filter(({ order }) => found.get(order.id)?.state === 'ready');
    const isKnown = await mediaStore.load(made.map(({ order }) => order.id));
    for (const entry of queued)
      if (awaited.get(entry.order.id) === entry) update(entry, found.get(entry.order.id), isKnown);
    polls += 1;
    if (polls % POLLS_PER_POSITION === 1) await pollPositions();
  }

  async function pollPositions(): Promise<void> {
    const slates = [...awaited.values()].filter(({ order, isQueued }) => isQueued && order.kind === 'slate');
    if (slates.length === 0) return;
    const ids = slates.map(({ order }) => order.id);
    const positions = await jobs.queuedBefore(ids, now());
    for (const entry of slates) entry.queued = positions.get(entry.order.id) ?? 0;
  }

  /** Reads the states of creatives that have changed in the queue, or of all that are awaited. */
  async function changed(ids?: ReadonlySet<string>): Promise<void> {
    if (ids === undefined) return poll();
    const known = [...ids].flatMap((id) => entries.peek(id) ?? []);
    const cached = known.filter(({ order }) => !awaited.has(order.id)).map(({ order }) => order.id);
    await Promise.all([cached.length < known.length ? poll() : undefined, dropOutdated(cached)]);
  }

  /** Drops cached states of creatives that have been deleted, retried or made since. */
  async function dropOutdated(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await statesOf(ids);
    for (const id of ids) {
      const entry = entries.peek(id);
      if (entry !== undefined && !awaited.has(id) && !isCurrent(entry.state, found.get(id))) entries.delete(id);
    }
  }

  /** @param isKnown whether all media that exist can be found */
  function update(entry: Entry, status: JobStatus | undefined, isKnown: boolean): void {
    if (status === undefined) settle(entry, deleted, now() + CACHE_MS.unavailable);
    else if (status.state === 'ready') findMade(entry, isKnown);
    else if (status.reason !== undefined) {
      entry.failure = { fault: status.fault ?? 'NOT_MADE', reason: status.reason };
      if (status.state === 'preparing') {
        entry.state = { state: 'preparing', failure: entry.failure };
        return;
      }
      const { least, most } = CACHE_MS.failed;
      const until = Math.min(Math.max(status.dueAt, now() + least), now() + most);
      const again = status.state === 'waiting' ? { retryAt: status.dueAt } : {};
      settle(entry, { state: 'failed', ...entry.failure, ...again }, until);
    }
  }

  function findMade(entry: Entry, isKnown: boolean): void {
    const media = mediaStore.find(entry.order.id)?.media;
    if (media !== undefined) settle(entry, { state: 'ready', media }, now() + CACHE_MS.ready);
    else if (isKnown && ++entry.missing % POLLS_UNTIL_LOST === 0) write(entry);
  }

  const lookUp = (order: ConditionOrder, urgency: number, owner?: CreativeRequester): Entry => {
    const known = entries.get(order.id);
    const isCached = known !== undefined && (known.state.state === 'preparing' || now() < known.until);
    const entry = isCached ? known : begin(order, urgency, known?.failure);
    const name = owner === undefined ? '' : `${owner.tenant} ${owner.channelId}`;
    const isRepeated = urgency < entry.urgency || now() - entry.requestedAt > REQUEST_AGAIN_MS;
    const isNew = !entry.owners.has(name);
    if (entry.state === busy || !(isNew || (isRepeated && awaited.has(order.id)))) return entry;
    entry.owners.add(name);
    entry.urgency = Math.min(entry.urgency, urgency);
    write(entry, owner);
    return entry;
  };

  const library: CreativeLibrary = {
    prepare: (key, source, ladder, owner, isAhead = false) => {
      const order = { id: mediaId('creative', key, ladder), kind: 'creative', source, ladder } as const;
      return lookUp(order, isAhead ? URGENCY.ahead : URGENCY.viewer, owner).state;
    },
    async settled(key, ladder) {
      const id = mediaId('creative', key, ladder);
      const known = entries.get(id);
      if (known !== undefined) return known.settled;
      await mediaStore.load([id]);
      const media = mediaStore.find(id)?.media;
      return media ? { state: 'ready', media } : unknown;
    },
    async slate(ladder, source, owner) {
      const order = { id: slateId(source?.url, ladder), kind: 'slate', ladder, ...(source ? { source } : {}) } as const;
      const entry = lookUp(order, URGENCY.slate, owner);
      const state = await entry.settled;
      return state.state === 'failed' ? { ...state, retryAt: millis(entry.until) } : state;
    },
    slateQueue: (ladder, source) => awaited.get(slateId(source?.url, ladder))?.queued,
  };
  return {
    ...library,
    poll,
    changed,
    size: (): number => entries.size,
    /** Drops the cached state of a creative that was deleted or is retried. */
    forget: (id: string): void => void (awaited.has(id) || entries.delete(id)),
    close(): void {
      isClosed = true;
      timer?.cancel();
      for (const entry of [...awaited.values()]) settle(entry, stopping, 0);
    },
  };
}

/** A creative or slate that this process has looked up. */
function newEntry(order: ConditionOrder, urgency: number, failure: CreativeFailure | undefined) {
  let settle = (_state: CreativeState): void => undefined;
  const settled = new Promise<CreativeState>((resolve) => {
    settle = resolve;
  });
  return {
    order,
    state: { state: 'preparing', ...(failure && { failure }) } as CreativeState,
    /** Of its last attempt. */
    failure,
    until: 0,
    /** Resolves when the state is no longer `preparing`. */
    settled,
    settle,
    isQueued: false,
    /** Polls in which the job was ready but the media were missing. */
    missing: 0,
    /** The owners that are in the queue. */
    owners: new Set<string>(),
    /** The highest urgency of the requests (the lowest number), and the time of the last one. */
    urgency,
    requestedAt: 0,
    /** How many jobs are made before it. */
    queued: undefined as number | undefined,
  };
}
type Entry = ReturnType<typeof newEntry>;
