// Viewers in memory: a bounded cache over the session store. Nothing here is authoritative; what is missing is read
// again, and what a viewer has not needed yet may have been decided elsewhere.
import { LRUCache } from 'lru-cache';
import { addShift } from '../../ads/placement/decision.ts';
import type { Choices, DecidedBreak } from '../../ads/placement/personalise.ts';
import { newestState } from '../../sessions/newestState.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { Shift, Span } from '../../timeline/span.ts';
import { type Airing, placeDecision } from '../onAir/airing.ts';
import type { StoreHealth } from './storeHealth.ts';
import { createWatchStarts, type WatchStarts } from './watchStarts.ts';

/** A viewer who was elsewhere for longer than this is read again: decisions may have been made and forgotten there. */
const TRUSTED = 15_000;
/** After this long nothing is gained by remembering them, and the ads that they were shown can go. */
const KEPT = 60_000;
/** Milliseconds that a known viewer waits for the store. Then what is known of them is served. */
export const STORE_WAIT_MS = 30;

export type Viewer = {
  readonly session: Session;
  /** As the store had it when it was last read or written. */
  state: SessionState;
  /** Where in the time before a break this viewer's decision is asked for, 0 to 1. */
  readonly spread: number;
  choices: Choices;
  /** Of the programme on which the choices are placed. They are placed again when it changes. */
  revision: number;
  seenAt: Millis;
  /** The store did not say in time what others have decided: it is read again at the next request. */
  isStale: boolean;
  /** The stretch of time in which it was last told that they watch, for whoever counts. */
  countedInterval: number;
  /** It has not requested a manifest that lists media, as far as this process knows. */
  isUnwatched?: boolean;
};

/** A share of 0 to 1 that is always the same for a session. */
function spreadOf(id: string): number {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  return (hash >>> 0) / 2 ** 32;
}

const spanOf = ({ programme }: Airing, { breakId, startsAt }: StoredDecision): Span | undefined =>
  programme.spansBetween(startsAt as Millis, (startsAt + 1) as Millis).find((span) => span.break?.id === breakId);

/** A session's state, in which decisions for breaks that were taken off the schedule are marked: they move no numbers. */
export const markVoidDecisions = ({ programme }: Airing, state: SessionState): SessionState => ({
  ...state,
  decisions: state.decisions.map((one) => (programme.isOnSchedule(one.breakId) ? one : { ...one, isVoid: true })),
});

/** Ads whose media are gone from the shelf, which only happens to old ones, are shown as the slate that they replaced. */
function placedOrSlate(airing: Airing, span: Span, decision: StoredDecision): readonly Span[] {
  const ids = decision.ads.map(({ mediaId }) => mediaId);
  return ids.every(airing.hasMedia) ? placeDecision(airing, span, decision) : [span];
}

const isSameShift = (one: Shift, other: Shift): boolean =>
  one.discontinuities === other.discontinuities && one.segments.every((count, rung) => count === other.segments[rung]);

/** Placed breaks by their last span, which is the same for all viewers with the same ads. */
const placedBreaks = new WeakMap<Span, DecidedBreak>();

/** What viewers with the same ads have in common is in memory once. */
function keptOnce(own: DecidedBreak): DecidedBreak {
  const last = own.spans[own.spans.length - 1]!;
  const known = placedBreaks.get(last);
  const isKnown =
    known?.breakId === own.breakId &&
    known.startsAt === own.startsAt &&
    known.spans.length === own.spans.length &&
    isSameShift(known.shift, own.shift);
  if (isKnown) return known;
  placedBreaks.set(last, own);
  return own;
}

const isZero = ({ segments, discontinuities }: Shift): boolean =>
  discontinuities === 0 && segments.every((count) => count === 0);

/** Choices of one break that nothing was decided before, by that break: those of a viewer who has just come. */
const firstChoices = new WeakMap<DecidedBreak, Choices>();

function sharedChoices(own: Choices): Choices {
  const [first, second] = own.decided;
  if (first === undefined || second !== undefined || !isZero(own.odometer)) return own;
  const known = firstChoices.get(first) ?? own;
  firstChoices.set(first, known);
  return known;
}

export function choicesOf(airing: Airing, state: SessionState): Choices {
  const decided: DecidedBreak[] = [];
  let { odometer } = state;
  for (const decision of state.decisions) {
    if (decision.isVoid) continue;
    const { breakId, startsAt, shift } = decision;
    const span = spanOf(airing, decision);
    // Of a break that the programme has forgotten, only the numbers are left.
    if (startsAt < airing.programme.historyFrom) odometer = addShift(odometer, shift);
    if (span === undefined) continue;
    decided.push(keptOnce({ breakId, startsAt, spans: placedOrSlate(airing, span, decision), shift }));
  }
  return sharedChoices({ decided, odometer });
}

export type Viewers = {
  find(id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> | Viewer | undefined;
  /** Takes in a session's state as the store has it. */
  update(airing: Airing, state: SessionState, now: Millis): Viewer;
  /** Reads a session again, with what others have decided for it. */
  reload(airing: Airing, viewer: Viewer, now: Millis): Promise<void>;
  /** The same, for a moment at most; never rejects. */
  refresh(airing: Airing, viewer: Viewer, now: Millis): Promise<void>;
  /** Tells the store who was seen since the last time; forgets here who was not seen for long. */
  flushSeen(now: Millis): Promise<void>;
} & WatchStarts;

/** @param most viewers kept; beyond it the one who was seen least recently is read again at their next request */
export function createViewers(store: SessionStore, health: StoreHealth, most: number): Viewers {
  const known = new LRUCache<string, Viewer>({ max: most });
  let flushedAt = 0;
  const touch = (viewer: Viewer, now: Millis): Viewer => {
    viewer.seenAt = now;
    return viewer;
  };
  const update = (airing: Airing, stored: SessionState, now: Millis): Viewer => {
    const { id } = stored.session;
    const viewer = known.get(id);
    const state = markVoidDecisions(airing, viewer === undefined ? stored : newestState(viewer.state, stored));
    const choices = choicesOf(airing, state);
    const { revision } = airing.programme;
    if (viewer !== undefined) return touch(Object.assign(viewer, { state, choices, revision, isStale: false }), now);
    const { session } = stored;
    const fresh = { seenAt: now, isStale: false, countedInterval: 0 };
    const met: Viewer = { session, state, spread: spreadOf(id), choices, revision, ...fresh };
    if (stored.isUnwatched) met.isUnwatched = true;
    known.set(id, met);
    return met;
  };
  const load = async (id: string, airing: Airing, now: Millis): Promise<Viewer | undefined> => {
    const state = await store.find(id);
    if (state === undefined || state.session.life !== airing.life) return undefined;
    return update(airing, state, now);
  };
  /** As it is in memory, placed on the current programme. */
  const current = (viewer: Viewer, airing: Airing, now: Millis): Viewer =>
    viewer.revision === airing.programme.revision ? touch(viewer, now) : update(airing, viewer.state, now);
  const reload = async (airing: Airing, { session }: Viewer, now: Millis): Promise<void> => {
    const state = await store.find(session.id);
    if (state !== undefined) update(airing, state, now);
  };
  /** A known viewer is served even where the store does not respond: from what was known last. */
  const loadOrKeep = async (viewer: Viewer, airing: Airing, now: Millis): Promise<Viewer | undefined> => {
    const read = async () => ({ viewer: await load(viewer.session.id, airing, now) });
    const loaded = await health.whenAvailable(STORE_WAIT_MS, read).catch(() => undefined);
    if (loaded !== undefined) return loaded.viewer;
    const kept = current(viewer, airing, now);
    kept.isStale = true;
    return kept;
  };
  return {
    ...createWatchStarts(store, health),
    update,
    reload,
    find(id, airing, now) {
      const viewer = known.get(id);
      if (viewer === undefined) return load(id, airing, now);
      if (viewer.session.life !== airing.life) return undefined;
      if (viewer.isStale || now - viewer.seenAt > TRUSTED) return loadOrKeep(viewer, airing, now);
      return current(viewer, airing, now);
    },
    async refresh(airing, viewer, now) {
      await health.whenAvailable(STORE_WAIT_MS, () => reload(airing, viewer, now)).catch(() => {});
    },
    async flushSeen(now) {
      const isSeen = ({ seenAt, isUnwatched }: Viewer) => seenAt >= flushedAt && !isUnwatched;
      const seen = [...known].flatMap(([id, viewer]) => (isSeen(viewer) ? [id] : []));
      // Viewers are forgotten only once the store knows that they were here: without it they could not come back.
      if (seen.length > 0) await store.seen(seen, now);
      flushedAt = now;
      for (const [id, { seenAt }] of known) if (now - seenAt > KEPT) known.delete(id);
    },
  };
}
