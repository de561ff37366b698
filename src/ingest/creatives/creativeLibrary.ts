// What this process knows of creatives and slate: those on the media store, those that somebody was asked to make, and those
// that failed, for as long as that is believed. Whoever asks is answered from memory; the store hears of what is new, and
// is asked, many at a time, what has become of it. It knows no encoder: the making is the worker's (creativeWorker).
import { LRUCache } from 'lru-cache';
import type { CreativeLibrary, CreativeOwner, CreativeSource, CreativeState } from '../../ads/creative/creative.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';
import { mediaId } from '../condition/plan/mediaId.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import { type CreativeJobs, type JobStatus, URGENCY } from './creativeJobs.ts';
import { summarizeMedia } from './summarizeMedia.ts';

export type CreativeLibraryOptions = {
  readonly mediaStore: Pick<MediaStore, 'find'>;
  readonly jobs: Pick<CreativeJobs, 'ask' | 'states' | 'ahead'>;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Called when there is something new to make: a worker of this process need not wait until it looks. */
  readonly onAsked?: () => void;
};

export type WatchedLibrary = CreativeLibrary & {
  /** Looks at once what has become of what is awaited: something was made in this process. */
  look(): Promise<void>;
  /** Forgets what is believed of a creative, which was deleted or is tried again. */
  forget(id: string): void;
  close(): void;
};

/** Creatives that this process waits for at once; an ad server may name new ones for ever. */
const MOST_AWAITED = 200;
/** How long until what is awaited is asked for again, milliseconds. */
const LOOK_MS = 400;
/** How long what is known is believed before media store and store are asked again; milliseconds. */
const BELIEVED = { ready: 600_000, busy: 10_000, failed: { least: 2000, most: 60_000 } };
/** Made, says the store, but not on this machine's view of the media store: after so many looks it counts as lost. */
const LOOKS_FOR_LOST = 10;
/** What is still awaited when it is asked for again after this long counts as asked for again; milliseconds. */
const ASKED_AGAIN_AFTER = 30_000;
/** Its place in the queue is looked up in one of so many looks. */
const LOOKS_FOR_PLACE = 4;

type Entry = {
  readonly order: ConditionOrder;
  state: CreativeState;
  /** Resolves when the state is no longer `preparing`. */
  settled: Promise<CreativeState>;
  settle: (state: CreativeState) => void;
  until: number;
  /** The store has heard of it. */
  isAsked: boolean;
  /** Looks at which the store said that it is ready, and the media store did not have it. */
  missing: number;
  /** For whom the store has heard of it. */
  readonly owners: Set<string>;
  /** As it was asked for last: how urgently, and when. */
  urgency: number;
  askedAt: number;
  /** How many jobs are made before it. */
  queued: number | undefined;
};

export function createCreativeLibrary(options: CreativeLibraryOptions): WatchedLibrary {
  const { mediaStore, jobs, now, timers, warn } = options;
  const entries = new LRUCache<string, Entry>({ max: 10_000 });
  const awaited = new Map<string, Entry>();
  let unwritten: { readonly entry: Entry; readonly owner?: CreativeOwner }[] = [];
  let timer: Timer | undefined;
  let looking: Promise<void> | undefined;
  let looks = 0;
  let isClosed = false;

  const settle = (entry: Entry, state: CreativeState, until: number): void => {
    entry.until = until;
    entry.state = state;
    awaited.delete(entry.order.id);
    entry.settle(state);
  };

  function begin(order: ConditionOrder, urgency: number): Entry {
    let resolve: Entry['settle'] = () => undefined;
    const settled = new Promise<CreativeState>((done) => {
      resolve = done;
    });
    const state: CreativeState = { state: 'preparing' };
    const entry = {
      order,
      state,
      settled,
      settle: resolve,
      until: 0,
      isAsked: false,
      missing: 0,
      owners: new Set<string>(),
      urgency,
      askedAt: 0,
      queued: undefined,
    };
    entries.set(order.id, entry);
    const media = mediaStore.find(order.id)?.media;
    if (media !== undefined) settle(entry, { state: 'ready', media }, now() + BELIEVED.ready);
    else if (awaited.size >= MOST_AWAITED && order.kind !== 'slate') settle(entry, busy, now() + BELIEVED.busy);
    else awaited.set(order.id, entry);
    return entry;
  }

  /** The store hears of it soon, together with all that is asked for just now. */
  function write(entry: Entry, owner?: CreativeOwner): void {
    if (isClosed) return;
    entry.askedAt = now();
    unwritten.push({ entry, ...(owner ? { owner } : {}) });
    if (unwritten.length === 1) queueMicrotask(() => void flush());
  }

  async function flush(): Promise<void> {
    const writing = unwritten;
    unwritten = [];
    const asked = writing.map(({ entry: { order, urgency }, owner }) => {
      const packaged = mediaStore.find(order.id);
      return {
        order,
        urgency,
        ...(owner ? { owner } : {}),
        ...(packaged ? { made: summarizeMedia(packaged, order.ladder) } : {}),
      };
    });
    try {
      await jobs.ask(asked, now());
      for (const { entry } of writing) entry.isAsked = true;
    } catch (error) {
      warn('what is to be made could not be written', { error });
      for (const { entry } of writing) if (awaited.has(entry.order.id)) settle(entry, away, now() + BELIEVED.busy);
    }
    if (awaited.size === 0) return;
    options.onAsked?.();
    await look(); // what failed before is known already
    schedule();
  }

  function schedule(): void {
    if (isClosed || timer !== undefined || awaited.size === 0) return;
    timer = timers.after(LOOK_MS, () => {
      timer = undefined;
      void look().then(schedule);
    });
  }

  /** Never twice at once; who comes while one is under way gets another one after it. */
  async function look(): Promise<void> {
    const before = looking;
    const mine = (async () => {
      await before;
      await lookOnce().catch((error: unknown) => warn('what has become of creatives could not be read', { error }));
    })();
    looking = mine;
    await mine;
  }

  async function lookOnce(): Promise<void> {
    const asked = [...awaited.values()].filter(({ isAsked }) => isAsked);
    if (asked.length === 0) return;
    const found = new Map((await jobs.states(asked.map(({ order }) => order.id))).map((status) => [status.id, status]));
    for (const entry of asked) if (awaited.get(entry.order.id) === entry) learn(entry, found.get(entry.order.id));
    looks += 1;
    if (looks % LOOKS_FOR_PLACE === 1) await lookForPlaces();
  }

  async function lookForPlaces(): Promise<void> {
    const slates = [...awaited.values()].filter(({ order, isAsked }) => isAsked && order.kind === 'slate');
    if (slates.length === 0) return;
    const ids = slates.map(({ order }) => order.id);
    const places = await jobs.ahead(ids, now());
    for (const entry of slates) entry.queued = places.get(entry.order.id) ?? 0;
  }

  function learn(entry: Entry, status: JobStatus | undefined): void {
    if (status === undefined) settle(entry, deleted, now() + BELIEVED.busy);
    else if (status.state === 'ready') findMade(entry);
    else if (status.reason !== undefined && status.state !== 'preparing') {
      const { least, most } = BELIEVED.failed;
      const until = Math.min(Math.max(status.dueAt, now() + least), now() + most);
      settle(entry, { state: 'failed', fault: status.fault ?? 'NOT_MADE', reason: status.reason }, until);
    }
  }

  function findMade(entry: Entry): void {
    const media = mediaStore.find(entry.order.id)?.media;
    if (media !== undefined) settle(entry, { state: 'ready', media }, now() + BELIEVED.ready);
    else if (++entry.missing % LOOKS_FOR_LOST === 0) write(entry);
  }

  const lookUp = (order: ConditionOrder, urgency: number, owner?: CreativeOwner): Entry => {
    const known = entries.get(order.id);
    const isBelieved = known !== undefined && (known.state.state === 'preparing' || now() < known.until);
    const entry = isBelieved ? known : begin(order, urgency);
    const name = owner === undefined ? '' : `${owner.tenant} ${owner.channelId}`;
    const isAskedAgain = urgency < entry.urgency || now() - entry.askedAt > ASKED_AGAIN_AFTER;
    const isNew = !entry.owners.has(name);
    if (entry.state === busy || !(isNew || (isAskedAgain && awaited.has(order.id)))) return entry;
    entry.owners.add(name);
    entry.urgency = Math.min(entry.urgency, urgency);
    write(entry, owner);
    return entry;
  };

  return {
    prepare: (key, source, ladder, owner, isAhead = false) => {
      const order = { id: mediaId('creative', key, ladder), kind: 'creative', source, ladder } as const;
      return lookUp(order, isAhead ? URGENCY.ahead : URGENCY.viewer, owner).state;
    },
    async settled(key, ladder) {
      const id = mediaId('creative', key, ladder);
      const known = entries.get(id);
      if (known !== undefined) return known.settled;
      const media = mediaStore.find(id)?.media;
      return media ? { state: 'ready', media } : unknown;
    },
    async slate(ladder, source, owner) {
      const order = { id: slateId(ladder, source), kind: 'slate', ladder, ...(source ? { source } : {}) } as const;
      return lookUp(order, URGENCY.slate, owner).settled;
    },
    slateQueue: (ladder, source) => awaited.get(slateId(ladder, source))?.queued,
    look,
    forget(id) {
      if (!awaited.has(id)) entries.delete(id);
    },
    close() {
      isClosed = true;
      timer?.cancel();
      for (const entry of [...awaited.values()]) settle(entry, stopping, 0);
    },
  };
}

const slateId = (ladder: Ladder, source: CreativeSource | undefined): string =>
  mediaId('slate', source?.url ?? '', ladder);

const failed = (reason: string): CreativeState => ({ state: 'failed', fault: 'NOT_MADE', reason });
const unknown = failed('it was never requested');
const busy = failed(`${MOST_AWAITED} others are waiting to be made`);
const away = failed('the store did not answer when it was to be made');
const deleted = failed('it was deleted while it was waiting to be made');
const stopping = failed('the process is ending');
