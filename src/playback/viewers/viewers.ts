// SPDX-License-Identifier: Apache-2.0
// Viewers in memory: a bounded cache of the session store. The store is authoritative: missing viewers are read again, and other
// nodes may have made decisions that are not in memory.
import { LRUCache } from 'lru-cache';
import type { Choices } from '../../ads/placement/personalise.ts';
import { invariant } from '../../invariant.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { type Card, type OnAirSession, prerollOf, type Seats, type Session } from '../../sessions/session.ts';
import { newestState } from '../../sessions/sessionRules.ts';
import type { Millis } from '../../time/units.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS } from './breaks.ts';
import { choicesOf, markVoidDecisions } from './choicesOf.ts';
import { depthsOf } from './depths.ts';
import { createSettledDecisions, type EndedBreak, settle } from './settledDecisions.ts';
import type { StoreHealth } from './storeHealth.ts';
import { createWatchStarts } from './watchStarts.ts';

/** How often each node calls `flushSeen`. */
export const SEEN_INTERVAL_MS = 15_000;
/** A viewer not seen for longer is removed from memory, so that the ads that they were shown can be freed. */
const REMOVE_AFTER_MS = 60_000;
/** Viewers seen within this time count as equally recent. */
const RECENTLY_MS = 20_000;
/** How long the request of a viewer in memory waits for the store before it is served from memory. */
export const STORE_WAIT_MS = 30;

export type Viewer = {
  readonly session: OnAirSession;
  /** As in the store when it was last read or written. */
  state: SessionState;
  /** When within the lead time of a break this viewer's decision begins, 0 to 1. */
  readonly spread: number;
  choices: Choices;
  /** The revision of the programme that the choices were placed on. They are placed again when it changes. */
  revision: number;
  /**
   * The live edge at which the choices were placed, while the viewer's pre-roll ends at a border that is not listed yet. Borders
   * of content do not change the revision, since they concern no other viewer.
   */
  waitingAt?: Millis | undefined;
  /** When the viewer was seen last, and the live edge then: whole seconds since 1970, which V8 stores in the object itself. */
  seenSecond: number;
  edgeSecond: number;
  /** The store did not respond in time: the viewer is read again at the next request. */
  isStale: boolean;
  /** The report interval in which the viewer was last counted. */
  countedInterval: number;
  /** The first of its cards. There are none when its choices may have changed. */
  card: Card | undefined;
  /** No manifest that lists media has been requested, as far as this process knows. */
  isUnwatched: boolean;
};

/** The edge of a programme does not depend on the time if it is live. */
const liveEdge = ({ programme }: Airing): Millis => programme.edgeAt(0 as Millis);

const waitingAt = (airing: Airing, session: Session, { decided }: Choices): Millis | undefined =>
  prerollOf(session) !== undefined && decided.some(({ isSettled }) => isSettled === false)
    ? liveEdge(airing)
    : undefined;

export const secondOf = (now: Millis): number => Math.floor(now / 1000);

/** No programme has this revision. */
const UNPLACED = -1;

const isCovered = ({ decisions, foldedBefore }: SessionState, { breakId, startsAt }: StoredDecision): boolean =>
  startsAt < foldedBefore || decisions.some((one) => one.breakId === breakId);

const isPlacedOn = (airing: Airing, { revision, waitingAt }: Viewer): boolean =>
  revision === airing.programme.revision && (waitingAt === undefined || waitingAt === liveEdge(airing));

export type ViewerCount = {
  readonly tenant: string;
  readonly channel: string;
  known: number;
};

function countOf(counts: Map<string, ViewerCount>, { tenant, channelId: channel }: Session): ViewerCount {
  const key = `${tenant}/${channel}`;
  const known = counts.get(key);
  if (known !== undefined) return known;
  const count = { tenant, channel, known: 0 };
  counts.set(key, count);
  return count;
}

/** @param max viewers in memory; beyond it, the one seen least recently is removed and read again at the next request */
export function createViewers(
  store: SessionStore,
  health: StoreHealth,
  max: number,
  onEnded?: (ended: EndedBreak) => void,
) {
  const seats: Seats = new Map();
  const known = new LRUCache<string, Viewer>({ max, dispose: (_, id) => void seats.delete(id) });
  let flushed = 0;
  let counts = new Map<string, ViewerCount>();
  const settled = createSettledDecisions(store, onEnded);
  const touch = (viewer: Viewer, { programme }: Airing, now: Millis): Viewer => {
    viewer.seenSecond = secondOf(now);
    viewer.edgeSecond = secondOf(programme.edgeAt(now));
    return viewer;
  };
  const update = (airing: Airing, stored: SessionState, now: Millis): Viewer => {
    const { id } = stored.session;
    const viewer = known.get(id);
    const newest = markVoidDecisions(airing, viewer === undefined ? stored : newestState(viewer.state, stored));
    const choices = choicesOf(airing, newest);
    const state = settle(newest, choices);
    if (state !== newest) settled.add(airing, newest, state);
    const { session } = stored;
    invariant(session.kind !== 'film', 'a session that plays an airing is not that of a film');
    const { revision } = airing.programme;
    const since = waitingAt(airing, session, choices);
    if (viewer !== undefined) {
      const placed = { state, choices, revision, waitingAt: since, isStale: false, card: undefined };
      return touch(Object.assign(viewer, placed), airing, now);
    }
    // Without a spread, V8 stores the fields in the object itself.
    const created: Viewer = {
      session,
      state,
      choices,
      revision,
      card: undefined,
      spread: spreadOf(id),
      waitingAt: since,
      seenSecond: secondOf(now),
      edgeSecond: secondOf(airing.programme.edgeAt(now)),
      countedInterval: 0,
      isStale: false,
      isUnwatched: stored.isUnwatched === true,
    };
    known.set(id, created);
    seats.set(id, created);
    return created;
  };
  /** A player requests several playlists at once: they share one read of its session. */
  const reads = new Map<string, Promise<SessionState | undefined>>();
  const read = (id: string): Promise<SessionState | undefined> => {
    const underWay = reads.get(id);
    if (underWay !== undefined) return underWay;
    const reading = store.find(id).finally(() => reads.delete(id));
    reads.set(id, reading);
    return reading;
  };
  const load = async (id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> => {
    const state = await read(id);
    if (state === undefined || state.session.life !== airing.life) return undefined;
    return update(airing, state, now);
  };
  /** The viewer from memory, placed on the current programme. */
  const current = (viewer: Viewer, airing: Airing, now: Millis): Viewer =>
    isPlacedOn(airing, viewer) ? touch(viewer, airing, now) : update(airing, viewer.state, now);
  const reload = async (airing: Airing, { session }: Viewer, now: Millis): Promise<void> => {
    const state = await store.find(session.id);
    if (state !== undefined) update(airing, state, now);
  };
  /** Reads a viewer again; falls back to the one in memory if the store does not respond in time. */
  const loadOrKeep = async (viewer: Viewer, airing: Airing, now: Millis): Promise<Viewer | undefined> => {
    const again = async () => ({ viewer: await load(viewer.session.id, airing, now) });
    const loaded = await health.whenAvailable(STORE_WAIT_MS, again, viewer.session.id).catch(() => undefined);
    if (loaded !== undefined) return loaded.viewer;
    const kept = current(viewer, airing, now);
    kept.isStale = true;
    kept.card = undefined;
    return kept;
  };
  const knows = (id: string, decisions: readonly StoredDecision[]): boolean => {
    const state = known.peek(id)?.state;
    return state !== undefined && decisions.every((one) => isCovered(state, one));
  };
  return {
    ...createWatchStarts(store, health),
    seats,
    /** Reads a session from the store. Requests that come together share a read. */
    read,
    known,
    /** Whether a viewer in memory has these decisions already. */
    knows,
    /** Takes a decision that another process has recorded. It is placed with the next request of the viewer. */
    adopt(id: string, decision: StoredDecision): void {
      const viewer = known.peek(id);
      if (viewer === undefined || isCovered(viewer.state, decision)) return;
      const { state } = viewer;
      viewer.state = newestState(state, { ...state, decisions: [...state.decisions, decision] });
      viewer.revision = UNPLACED;
      viewer.card = undefined;
    },
    /** The viewers of each channel, as of the last call of `flushSeen`. */
    counts: (): Iterable<ViewerCount> => counts.values(),
    size: (): number => known.size,
    /** Applies a session's state from the store. */
    update,
    /** Reads a session again, including decisions of other nodes. */
    reload,
    find(id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> | Viewer | undefined {
      const viewer = known.peek(id);
      if (viewer === undefined) return load(id, airing, now);
      // Which viewers were seen least recently has to be known to some seconds only.
      if (now - 1000 * viewer.seenSecond > RECENTLY_MS) known.get(id);
      if (viewer.session.life !== airing.life) return undefined;
      if (viewer.isStale || mayHaveMissed(viewer, airing, now)) return loadOrKeep(viewer, airing, now);
      return current(viewer, airing, now);
    },
    /** Reads a viewer again, as `reload` does, but waits STORE_WAIT_MS at most and never rejects. */
    async refresh(airing: Airing, viewer: Viewer, now: Millis): Promise<void> {
      await health.whenAvailable(STORE_WAIT_MS, () => reload(airing, viewer, now), viewer.session.id).catch(() => {});
    },
    /**
     * Records in the store which viewers were seen, and which live breaks were settled, since the last call; removes those not
     * seen for long from memory.
     */
    async flushSeen(now: Millis): Promise<void> {
      // Its failure must not keep sessions from being stored as seen: they would expire.
      const settling = settled.flush();
      const isSeen = ({ seenSecond, isUnwatched }: Viewer) => seenSecond >= flushed && !isUnwatched;
      const seen: string[] = [];
      const counted = new Map<string, ViewerCount>();
      for (const [id, viewer] of known) {
        countOf(counted, viewer.session).known += 1;
        if (isSeen(viewer)) seen.push(id);
      }
      counts = counted;
      // Remove viewers only after the store has recorded them: otherwise their sessions could expire during an outage.
      const storing = seen.length > 0 ? store.seen(seen, now) : undefined;
      await Promise.allSettled([settling, storing]);
      await storing;
      flushed = secondOf(now);
      for (const [id, { seenSecond }] of known) if (now - 1000 * seenSecond > REMOVE_AFTER_MS) known.delete(id);
      await settling;
    },
  };
}

export type Viewers = ReturnType<typeof createViewers>;

/** A number from 0 to 1 that is constant for a session. */
export function spreadOf(id: string): number {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

/** How long the edge of a viewer may have waited for a decision when the viewer was last seen, and a reserve. */
export const MAX_WAIT_MS = 2 * DECISION_TIMEOUT_MS;

type Seen = Pick<Viewer, 'session' | 'edgeSecond'>;

/**
 * A manifest waits for the decision of every break in its window, and that decision is read if another node has made it. So what
 * is in memory is enough for as long as each break that has begun since is still in the window. After a hole of the timeline, breaks
 * that ended in it are not.
 */
export function mayHaveMissed({ session, edgeSecond }: Seen, airing: Airing, now: Millis): boolean {
  const { programme } = airing;
  const seenUntil = 1000 * edgeSecond;
  const windowStart = programme.edgeAt(now) - depthsOf(session, airing).standard;
  return programme.historyFrom > seenUntil || windowStart > seenUntil - MAX_WAIT_MS;
}
