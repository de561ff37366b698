// Viewers in memory: a bounded cache over the session store. Nothing here is authoritative; what is missing is read
// again, and what a viewer has not needed yet may have been decided elsewhere.
import { LRUCache } from 'lru-cache';
import { addShift } from '../ads/decision.ts';
import type { Choices, DecidedBreak } from '../ads/personalise.ts';
import { timelineBetween } from '../channels/lineup.ts';
import { newestState } from '../sessions/newestState.ts';
import type { SessionState, SessionStore, StoredDecision } from '../sessions/ports.ts';
import type { Session } from '../sessions/session.ts';
import type { Millis } from '../time/units.ts';
import type { Span } from '../timeline/span.ts';
import { type Airing, placeDecision } from './airing.ts';

/** A viewer who was elsewhere for longer than this is read again: decisions may have been made and forgotten there. */
const TRUSTED = 15_000;
/** After this long nothing is gained by remembering them, and the ads that they were shown can go. */
const KEPT = 60_000;

export type Viewer = {
  readonly session: Session;
  /** As the store had it when it was last read or written. */
  state: SessionState;
  /** Where in the time before a break this viewer's decision is asked for, 0 to 1. */
  readonly spread: number;
  choices: Choices;
  /** That the choices were placed on; an edit on air places them anew. */
  lineup: Airing['lineup'];
  seenAt: Millis;
};

/** A share of 0 to 1 that is always the same for a session. */
function spreadOf(id: string): number {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

const spanOf = ({ lineup }: Airing, { breakId, startsAt }: StoredDecision): Span | undefined =>
  timelineBetween(lineup, startsAt as Millis, (startsAt + 1) as Millis).find((span) => span.break?.id === breakId);

/**
 * A decision whose break an edit has taken off the schedule moves nothing: its edition is left before the break, or was
 * replaced before it began. One for an edition that this process has not heard of yet is left alone.
 */
function isVoid({ lineup: { editions } }: Airing, { breakId }: StoredDecision): boolean {
  const [number, position] = breakId.split('-').map(Number) as [number, number];
  const edition = editions.find((one) => one.number === number);
  if (edition !== undefined) return edition.last !== undefined && position > edition.last.position;
  return number > editions[0]!.number && number < editions[editions.length - 1]!.number;
}

/** A session's state, with its void decisions marked. */
export const judged = (airing: Airing, state: SessionState): SessionState => ({
  ...state,
  decisions: state.decisions.map((one) => (isVoid(airing, one) ? { ...one, isVoid: true } : one)),
});

export function choicesOf(airing: Airing, state: SessionState): Choices {
  const decided = new Map<string, DecidedBreak>();
  const oldest = airing.lineup.editions[0]!.number;
  let { odometer } = state;
  for (const decision of state.decisions) {
    if (decision.isVoid) continue;
    const { breakId, startsAt, shift } = decision;
    const span = spanOf(airing, decision);
    // Of an edition that is forgotten, because it was over a day ago, only the numbers are left.
    if (Number.parseInt(breakId, 10) < oldest) odometer = addShift(odometer, shift);
    if (span === undefined) continue;
    decided.set(breakId, { breakId, startsAt, spans: placeDecision(airing, span, decision), shift });
  }
  return { decided, odometer };
}

export type Viewers = {
  find(id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> | Viewer | undefined;
  /** Takes in a session's state as the store has it. */
  update(airing: Airing, state: SessionState, now: Millis): Viewer;
  /** Reads a session again, with what others have decided for it. */
  reload(airing: Airing, viewer: Viewer, now: Millis): Promise<void>;
  /** Tells the store who was seen since the last time; forgets here who was not seen for long. */
  flushSeen(now: Millis): Promise<void>;
  forget(id: string): void;
};

export function createViewers(store: SessionStore, most: number): Viewers {
  const cache = new LRUCache<string, Viewer>({ max: most });
  const seen = new Set<string>();
  const touch = (viewer: Viewer, now: Millis): Viewer => {
    viewer.seenAt = now;
    seen.add(viewer.session.id);
    return viewer;
  };
  const update = (airing: Airing, stored: SessionState, now: Millis): Viewer => {
    const { id } = stored.session;
    const known = cache.get(id);
    const state = judged(airing, known === undefined ? stored : newestState(known.state, stored));
    const choices = choicesOf(airing, state);
    if (known !== undefined) {
      known.state = state;
      known.choices = choices;
      known.lineup = airing.lineup;
      return touch(known, now);
    }
    const viewer: Viewer = {
      session: stored.session,
      state,
      spread: spreadOf(id),
      choices,
      lineup: airing.lineup,
      seenAt: now,
    };
    cache.set(id, viewer);
    return touch(viewer, now);
  };
  /** Who was seen last comes last. */
  const goneBy = (now: Millis): string[] => {
    const gone: string[] = [];
    for (const id of cache.rkeys()) {
      if (now - cache.peek(id)!.seenAt <= KEPT) break;
      gone.push(id);
    }
    return gone;
  };
  const load = async (id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> => {
    const state = await store.find(id);
    if (state === undefined || state.session.life !== airing.life) return undefined;
    return update(airing, state, now);
  };
  return {
    update,
    find(id, airing, now) {
      const known = cache.get(id);
      if (known === undefined || now - known.seenAt > TRUSTED) return load(id, airing, now);
      if (known.session.life !== airing.life) return undefined;
      return known.lineup === airing.lineup ? touch(known, now) : update(airing, known.state, now);
    },
    async reload(airing, viewer, now) {
      const state = await store.find(viewer.session.id);
      if (state !== undefined) update(airing, state, now);
    },
    async flushSeen(now) {
      for (const id of goneBy(now)) cache.delete(id);
      const ids = [...seen];
      seen.clear();
      if (ids.length > 0) await store.seen(ids, now);
    },
    forget(id) {
      cache.delete(id);
    },
  };
}
