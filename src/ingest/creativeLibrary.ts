// Every creative and slate once for each ladder, however many ask, in this process or in another. What has been made is
// known by its folder alone; this file knows what is being made and what has failed, and for how long to believe that.
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { CreativeLibrary, CreativeSource, CreativeState } from '../ads/creative.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { type Failure, isFailure } from './conditionFailure.ts';
import { mediaId } from './conditionKey.ts';
import { type ConditionOrder, conditionMedia } from './conditionMedia.ts';
import type { Ffmpeg, MediaShelf } from './conditionPorts.ts';
import { createJobQueue } from './creativeLibraryQueue.ts';
import type { Origin } from './ports.ts';

type LibraryLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
};

export type CreativeLibraryOptions = {
  readonly origin: Origin;
  readonly ffmpeg: Ffmpeg;
  readonly shelf: MediaShelf;
  /** Encoders at once; one for two cores unless told. */
  readonly concurrency?: number;
  /** Threads of each encoder; 2 unless told. */
  readonly threads?: number;
  /** How creatives that come as HLS or DASH may be shown as they are; they never are unless told. */
  readonly asIs?: { readonly httpsOnly: boolean };
  readonly log: LibraryLog;
};

/** Creatives under way at once, fetching included: a slow origin must not hold up the encoders. */
const AT_ONCE = 8;
const MOST_WAITING = 200;
const POLL_MS = 1000;
/** How long what is known is believed before the folder is asked again, or a failure tried again; milliseconds. */
const BELIEVED = { ready: 600_000, busy: 10_000, passing: 300_000, lasting: 3_600_000 };

type Entry = { state: CreativeState; settled: Promise<CreativeState>; until: number };

export function createCreativeLibrary(options: CreativeLibraryOptions): CreativeLibrary {
  const { shelf, log, threads = 2, concurrency = Math.floor(availableParallelism() / 2) } = options;
  const queue = createJobQueue(AT_ONCE, MOST_WAITING);
  const encoders = createJobQueue(Math.max(1, concurrency));
  const entries = new LRUCache<string, Entry>({ max: 10_000 });

  const lookUp = (order: ConditionOrder): Entry => {
    const known = entries.get(order.id);
    if (known !== undefined && (known.state.state === 'preparing' || Date.now() < known.until)) return known;
    const media = shelf.find(order.id)?.media;
    const state: CreativeState = media ? { state: 'ready', media } : { state: 'preparing' };
    const entry: Entry = { state, settled: Promise.resolve(state), until: Date.now() + BELIEVED.ready };
    entries.set(order.id, entry);
    if (!media) entry.settled = start(order, entry);
    return entry;
  };

  const start = async (order: ConditionOrder, entry: Entry): Promise<CreativeState> => {
    const since = Date.now();
    const { id, kind, source } = order;
    const made = await make(order).catch((error: unknown): Failure => {
      log.warn({ err: error, id }, 'conditioning stopped on an error');
      return { failed: 'it could not be made or stored', isLasting: false };
    });
    const ms = Date.now() - since;
    if (isFailure(made)) {
      const wait = made.isLasting ? BELIEVED.lasting : made === busy ? BELIEVED.busy : BELIEVED.passing;
      entry.until = Date.now() + wait;
      entry.state = { state: 'failed', reason: made.failed };
      log.warn({ id, kind, url: addressOf(source), reason: made.failed, ms }, 'media could not be conditioned');
    } else {
      entry.until = Date.now() + BELIEVED.ready;
      entry.state = { state: 'ready', media: made.media };
      log.info({ id, kind, url: addressOf(source), frames: made.media.frames, ms }, 'media conditioned');
    }
    return entry.state;
  };

  const make = async (order: ConditionOrder) => {
    for (;;) {
      if (queue.isFull() && order.kind !== 'slate') return busy;
      const made = await queue.run(() => makeHere(order), order.kind === 'slate');
      if (made !== 'elsewhere') return made;
      await delay(POLL_MS);
    }
  };

  /** Another process may have made it since, or be about to. */
  const makeHere = async (order: ConditionOrder) => {
    const there = shelf.find(order.id);
    if (there !== undefined) return there;
    const workshop = await shelf.claim(order.id);
    if (workshop === undefined) return 'elsewhere';
    try {
      const made = await conditionMedia(order, workshop, { ...options, threads }, (job) =>
        encoders.run(job, order.kind === 'slate'),
      );
      if (!isFailure(made)) await workshop.publish(made);
      return made;
    } finally {
      await workshop.discard();
    }
  };

  return {
    prepare(key, source, ladder) {
      return lookUp(creativeOrder(key, source, ladder)).state;
    },
    async settled(key, ladder) {
      const id = mediaId('creative', key, ladder);
      const known = entries.get(id);
      if (known !== undefined) return known.settled;
      const media = shelf.find(id)?.media;
      return media ? { state: 'ready', media } : { state: 'failed', reason: 'nobody asked for it to be made' };
    },
    async slate(ladder, source) {
      const id = mediaId('slate', source?.url ?? '', ladder);
      return lookUp({ id, kind: 'slate', ladder, ...(source ? { source } : {}) }).settled;
    },
  };
}

const busy: Failure = { failed: `${MOST_WAITING} others are waiting to be made`, isLasting: false };

const creativeOrder = (key: string, source: CreativeSource, ladder: Ladder): ConditionOrder => ({
  id: mediaId('creative', key, ladder),
  kind: 'creative',
  source,
  ladder,
});

/** For the log: without query and credentials, which may be secrets. */
function addressOf(source: CreativeSource | undefined): string {
  if (source === undefined) return 'built in';
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined;
  return url ? `${url.origin}${url.pathname}` : 'not a URL';
}
