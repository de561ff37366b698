// SPDX-License-Identifier: Apache-2.0
// The VoD sessions of this process: what each one shows, decided once, stored, and then served from memory. The process that
// opened a session decides it. Others wait for its result, and decide themselves only if that process has ended.
import { randomUUID } from 'node:crypto';
import { type ClipMaker, clipMakerFor, type FindMedia, MissingMedia } from '../../ads/placement/breakClips.ts';
import { memo } from '../../cache/memo.ts';
import type { VodChannel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import type { FrozenStore, SessionState, SessionStore } from '../../sessions/ports.ts';
import type { FilmSession, Seats } from '../../sessions/session.ts';
import { type Clock, sleep } from '../../time/clock.ts';
import { millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { type Frozen, layOut, type Presentation } from '../../vod/layOut.ts';
import type { TitleSource } from '../../vod/ports.ts';
import type { Title } from '../../vod/title.ts';
import { createPresentationMemory, type SessionAds } from './presentationMemory.ts';
import { budgetOf, type DecidedPresentation, type DecidePresentation, type VodViewer } from './vodViewer.ts';

type LadderMedia = {
  readonly clips: ClipMaker;
  /** Whether a conditioned creative is still stored. */
  readonly hasMedia: (mediaId: string) => boolean;
};

type PresentationsDeps = Clock & {
  readonly sessions: Pick<SessionStore, 'find' | 'claim' | 'seen'>;
  readonly frozen: FrozenStore;
  readonly titles: Pick<TitleSource, 'find'>;
  readonly findMedia: FindMedia;
  readonly decide: DecidePresentation;
  readonly holder: string;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Sessions in memory by id. The presentations add the sessions that they keep in memory. */
  readonly seats: Seats;
  /** Spans of sessions kept in memory, of presentations and of ads each. */
  readonly maxSpans?: number;
};

/** How much longer than the budget another process waits before it decides a session. Clocks may differ by a second. */
const TAKEOVER_MS = 3000;
const POLL_MS = 150;
/** The longest wait of a request for a media playlist beyond the budget. */
const MAX_EXTRA_WAIT_MS = 7000;
/** How often, and for how long, storing a presentation is repeated although its viewer requests nothing. */
const REPEAT_INTERVAL_MS = 5000;
const REPEAT_FOR_MS = 90_000;

const unavailable = (cause?: unknown) =>
  new AppError('UNAVAILABLE', 'The ads of this session could not be stored. Retry soon.', { retryAfter: 2, cause });

const withWriter = ({ frozen, ...decided }: DecidedPresentation): DecidedPresentation => ({
  ...decided,
  frozen: { ...frozen, writer: randomUUID() },
});

/** @throws {AppError} NOT_FOUND if conditioned ads were deleted, which happens only if the media folder was lost */
function laidOut({ title, clips, session }: VodViewer, what: Frozen): Presentation {
  try {
    return layOut(title, what, clips, session.openedAt);
  } catch (error) {
    if (!(error instanceof MissingMedia)) throw error;
    throw new AppError('NOT_FOUND', 'The ads of this session are no longer stored. Open a new session.', {
      cause: error,
    });
  }
}

export function createPresentations(deps: PresentationsDeps) {
  const { sessions, frozen, titles, now, timers } = deps;
  const memory = createPresentationMemory(deps.seats, deps.maxSpans);
  let seen = new Set<string>();
  const deciding = new Set<Promise<unknown>>();
  const repeated = new Set<VodViewer>();
  const hasMedia = (id: string): boolean => deps.findMedia(id) !== undefined;
  const mediaFor = memo((ladder: Ladder): LadderMedia => ({ clips: clipMakerFor(ladder, deps.findMedia), hasMedia }));

  function keep(session: FilmSession, title: Title): VodViewer {
    const viewer: VodViewer = { session, title, clips: mediaFor(title.ladder).clips, countedInterval: 0 };
    memory.keep(viewer);
    return viewer;
  }

  /** @param what is stored, by this process if it is what it has decided: also by a call that failed */
  function present(viewer: VodViewer, what: Frozen): Presentation {
    const { decided } = viewer;
    viewer.presentation ??= laidOut(viewer, what);
    delete viewer.decided;
    keepAds(viewer, viewer.presentation);
    if (decided === undefined || decided.frozen.writer !== what.writer) return viewer.presentation;
    const ads = decided.records.flatMap((record) => record.ads);
    viewer.adTitles = new Map(ads.flatMap(({ adId, title }) => (title === undefined ? [] : [[adId, title] as const])));
    decided.onFrozen();
    return viewer.presentation;
  }

  function keepAds({ session, title }: VodViewer, { spans }: Presentation): SessionAds {
    const own = spans.flatMap((span) => (span.adId === undefined ? [] : [[span.adId, span] as const]));
    const kept: SessionAds = { session, ladder: title.ladder, spans: new Map(own) };
    memory.keepAds(kept);
    return kept;
  }

  async function decideOnce(channel: VodChannel, viewer: VodViewer): Promise<Presentation> {
    const { session } = viewer;
    viewer.decided ??= withWriter(await deps.decide(channel, viewer));
    const { frozen: own, records } = viewer.decided;
    const stored = await frozen.freeze(session.id, own, records);
    if (stored === undefined) throw new AppError('NOT_FOUND', `Session "${session.id}" has expired. Open a new one.`);
    return present(viewer, stored.frozen);
  }

  function decideAndFreeze(channel: VodChannel, viewer: VodViewer): Promise<Presentation> {
    const work = decideOnce(channel, viewer).finally(() => deciding.delete(work));
    deciding.add(work);
    return work;
  }

  /** Waits for the process that decides the session, and takes over if it has ended. */
  async function awaitFrozen(channel: VodChannel, viewer: VodViewer): Promise<Presentation> {
    const { id, openedAt } = viewer.session;
    const budget = budgetOf(channel);
    const since = timers.elapsed();
    while (timers.elapsed() < since + budget + MAX_EXTRA_WAIT_MS) {
      const found = await frozen.findFrozen(id);
      if (found !== undefined) return present(viewer, found);
      if (viewer.decided !== undefined) return decideAndFreeze(channel, viewer);
      const at = now();
      // The clock of the process that opened the session may have been ahead of this one.
      const isOverdue = Math.max(at - openedAt, timers.elapsed() - since) > budget + TAKEOVER_MS;
      if (isOverdue) {
        const until = millis(at + budget + TAKEOVER_MS);
        const claim = { sessionId: id, breakId: 'vod', startsAt: openedAt, holder: deps.holder, at, until };
        if ((await sessions.claim(claim)).isOurs) return decideAndFreeze(channel, viewer);
      }
      await sleep(timers, POLL_MS);
    }
    throw unavailable();
  }

  /** The call may have taken effect. Then the breaks are counted, whether or not the viewer returns to this process. */
  async function repeat(channel: VodChannel, viewer: VodViewer): Promise<void> {
    if (repeated.has(viewer)) return;
    repeated.add(viewer);
    const until = timers.elapsed() + REPEAT_FOR_MS;
    while (viewer.decided !== undefined && timers.elapsed() < until) {
      await sleep(timers, REPEAT_INTERVAL_MS * (0.5 + Math.random() / 2));
      if (viewer.decided !== undefined) await Promise.resolve(settled(channel, viewer)).catch(() => undefined);
    }
    repeated.delete(viewer);
  }

  function settle(channel: VodChannel, viewer: VodViewer, work: () => Promise<Presentation>): Promise<Presentation> {
    const settling = work()
      .catch((error: unknown) => {
        if (error instanceof AppError && error.kind === 'NOT_FOUND') throw error;
        deps.log('failed to decide a VoD session', { sessionId: viewer.session.id, error });
        void repeat(channel, viewer);
        throw error instanceof AppError ? error : unavailable(error);
      })
      .finally(() => {
        viewer.settling = undefined;
      });
    viewer.settling = settling;
    return settling;
  }

  async function find(sessionId: string, stored?: SessionState): Promise<VodViewer | undefined> {
    const known = memory.find(sessionId);
    if (known !== undefined) return known;
    const state = stored ?? (await sessions.find(sessionId));
    const session = state?.session;
    if (session?.kind !== 'film') return undefined;
    const title = await titles.find(session.vod.assets);
    if (title === undefined)
      throw new AppError('NOT_FOUND', 'The content of this session is no longer stored. Open a new session.');
    const viewer = memory.find(sessionId) ?? keep(session, title);
    if (state?.isUnwatched) viewer.isUnwatched = true;
    return viewer;
  }

  const settled = (channel: VodChannel, viewer: VodViewer): Presentation | Promise<Presentation> =>
    viewer.presentation ?? viewer.settling ?? settle(channel, viewer, () => awaitFrozen(channel, viewer));

  async function loadAds(
    channel: VodChannel,
    sessionId: string,
    stored?: SessionState,
  ): Promise<SessionAds | undefined> {
    const viewer = await find(sessionId, stored);
    if (viewer === undefined) return undefined;
    const presentation = await settled(channel, viewer);
    return memory.adsOf(sessionId) ?? keepAds(viewer, presentation);
  }

  return {
    /** Registers a session that this process has opened, and begins to decide its breaks. */
    begin(channel: VodChannel, session: FilmSession, title: Title): VodViewer {
      const viewer = keep(session, title);
      viewer.isUnwatched = true;
      settle(channel, viewer, () => decideAndFreeze(channel, viewer)).catch(() => undefined);
      return viewer;
    },
    /**
     * @param stored the session, if it was read from the store
     * @returns undefined if there is no such session
     * @throws {AppError} NOT_FOUND if its content is no longer stored
     */
    find,
    /** What the session shows, once that is stored. @throws {AppError} UNAVAILABLE if the store cannot be reached */
    settled,
    mediaFor,
    /** The ads of a session of the channel. @returns undefined if there is no such session */
    async adsOf(channel: VodChannel, sessionId: string, stored?: SessionState): Promise<SessionAds | undefined> {
      const own = memory.adsOf(sessionId) ?? (await loadAds(channel, sessionId, stored));
      if (own !== undefined) seen.add(sessionId);
      return own;
    },
    /** Records in the store which sessions requested ads since the last call: all that is known of a viewer who plays on. */
    async flushSeen(): Promise<void> {
      if (seen.size === 0) return;
      const ids = seen;
      seen = new Set();
      try {
        await sessions.seen([...ids], now());
      } catch (error) {
        for (const id of ids) seen.add(id);
        throw error;
      }
    },
    size: memory.size,
    adsSize: memory.adsSize,
    /** Resolves when no session is being decided. */
    async idle(): Promise<void> {
      while (deciding.size > 0) await Promise.allSettled(deciding);
    },
  };
}

export type Presentations = ReturnType<typeof createPresentations>;
