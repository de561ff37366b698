// SPDX-License-Identifier: Apache-2.0
// Midroll's live port in front of one live channel: a log with a new segment every two seconds, and viewers whose break is
// decided. The product's own code from the log on. Parameters: JSON in the first argument.
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlSessions } from '../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../src/adapters/systemClock.ts';
import type { ConditionedMedia } from '../src/ads/creative/creative.ts';
import { freshOdometer } from '../src/ads/placement/decision.ts';
import type { LiveChannel } from '../src/channels/channel.ts';
import { openSqlite } from '../src/database.ts';
import { applyEntry } from '../src/live/programme/applyEntry.ts';
import type { LiveState } from '../src/live/programme/liveState.ts';
import type { LiveEntry } from '../src/live/slot.ts';
import { createLiveFeedTimeline, type LiveFeedTimeline } from '../src/playback/live/feedTimeline.ts';
import { createLiveChannels } from '../src/playback/live/liveChannels.ts';
import { type Airing, placeDecision } from '../src/playback/onAir/airing.ts';
import { reachOf } from '../src/playback/viewers/depths.ts';
import { createStoreHealth } from '../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../src/playback/viewers/viewers.ts';
import type { StoredDecision } from '../src/sessions/ports.ts';
import type { JoinedLive } from '../src/sessions/session.ts';
import { framesToFlicks, millis, secondsToFlicks } from '../src/time/units.ts';
import { type BreakSpan, breakOf, placeOf } from '../src/timeline/programme/span.ts';
import { LAG, LIVE_START, liveFeed, type OriginPlan, writeLog } from '../test/laws/syntheticLive.ts';
import { syntheticMedia } from '../test/laws/syntheticMedia.ts';
import { framesOf, podOf } from './benchPods.ts';
import { servePlayers } from './servePlayers.ts';

export type LiveShape = {
  readonly sessions: number;
  readonly format: 'hls' | 'dash';
  /** The ads of each viewer, in frames. */
  readonly adFrames: readonly number[];
  readonly fill: 'slate' | 'content';
  /** Each segment of the break has a marker. */
  readonly hasContinuation?: boolean;
  /** Viewers had ads before the content when they joined. */
  readonly hasPreroll?: boolean;
  /** Seconds of the break. */
  readonly breakSeconds: number;
};

const shape = JSON.parse(process.argv[2]!) as LiveShape;
const RATE = { n: 25, d: 1 };
const SLOT_FRAMES = 50;
const SLOT_MS = 2000;
/** Before the break. */
const SLOTS_BEFORE = 60;
/** The break has been on air for ten seconds. */
const SLOTS_ON_AIR = 5;

const feed = liveFeed(SLOT_FRAMES, 3);
const slots = shape.breakSeconds / 2;
const plan: OriginPlan = {
  frames: SLOT_FRAMES,
  stretches: new Set(),
  breaks: [
    {
      ...{ slot: SLOTS_BEFORE, ends: SLOTS_BEFORE + slots, leadSlots: 0, hasIn: true },
      announced: framesToFlicks(shape.breakSeconds * RATE.n, RATE),
      continues: shape.hasContinuation ?? false,
    },
  ],
};
const rules = { fill: shape.fill, maxBreak: secondsToFlicks(600) };
const entries = writeLog(feed, plan, rules, SLOTS_BEFORE + slots + 60, () => 0);

/** The clock of the server stands still until its viewers are there. */
const beganAt = LIVE_START.millis + LAG + (SLOTS_BEFORE + SLOTS_ON_AIR) * SLOT_MS + 100;
let startedAt: number | undefined;
const now = () => millis(Math.floor(beganAt + (startedAt === undefined ? 0 : performance.now() - startedAt)));

const known = new Map<string, ConditionedMedia>();
const channels = createLiveChannels({
  feeds: { current: async () => [feed], versions: async () => [] },
  states: () => ({ use: () => timeline.stateAt(now()), peek: () => timeline.stateAt(now()), catchUp: () => undefined }),
  findMedia(id) {
    const media = known.get(id) ?? syntheticMedia(id, framesOf(id) || 250, feed.ladder);
    known.set(id, media);
    return media;
  },
});
const channel = {
  ...{ id: 'live', tenant: 't', type: 'live', playlistSize: 30, timeShiftWindow: 0, tracking: 'server', apiKey: 'k' },
} as LiveChannel;
const enabled = await channels.load(channel, () => 'The log is empty.');
const timeline: LiveFeedTimeline<LiveState, readonly LiveEntry[]> = createLiveFeedTimeline<
  LiveState,
  readonly LiveEntry[]
>({
  ...{
    initial: channels.initial(feed),
    start: [],
    tailAfter: (tail) => tail,
    apply: applyEntry,
    rejoin: () => undefined,
    split: (_, entry) => [entry],
  },
  visibleDelay: Number.POSITIVE_INFINITY,
});
timeline.follow(entries, now());

const sql = await openSqlite(mkdtempSync(join(tmpdir(), 'midroll-bench-')));
const store = sqlSessions(sql);
const health = createStoreHealth(systemTimers, () => {});
const viewers = createViewers(store, health, 100_000);

const decided = (airing: Airing, span: BreakSpan, viewer: number): StoredDecision => {
  const { id: breakId, startsAt } = placeOf(span);
  const decision = { breakId, startsAt, joined: 0, ads: podOf(breakId, viewer, shape.adFrames) };
  return { ...decision, shift: placeDecision(airing, span, decision).shift };
};

const airing = enabled.airing!;
const { programme, ladder } = airing;
const edge = programme.edgeAt(now());
const current = programme.spansBetween(millis(edge - 1), edge).map((span) => breakOf(span)!.id)[0]!;
const span = programme.breakSpan(current, edge)!;
/** The pre-roll ended before the window of the first manifest. */
const joinedAt = millis(breakOf(span)!.startsAt - 80_000);
const preroll = { start: programme.borderBefore!(joinedAt)!, duration: secondsToFlicks(25) };
const live: JoinedLive = { joinedAt, ...(shape.hasPreroll ? { preroll } : {}) };

globalThis.gc?.();
const heapBefore = process.memoryUsage().heapUsed;
const paths: string[] = [];
for (let index = 0; index < shape.sessions; index += 1) {
  const id = randomUUID();
  const joining = live.preroll && programme.joinBreak!(preroll.start, preroll.duration);
  const session = {
    kind: 'live' as const,
    ...{ id, channelId: 'live', tenant: 't', life: feed.life, format: shape.format, openedAt: joinedAt, live },
    ...{ reach: reachOf(airing.channel), parameters: {}, viewer: { address: '', userAgent: '' } },
  };
  const decisions = [...(joining ? [decided(airing, joining, index)] : []), decided(airing, span, index)];
  const state = { session, decisions, odometer: freshOdometer(ladder.rungs.length), foldedBefore: millis(0) };
  // Seen in the future, so that no viewer is read again from the store, which does not have them.
  viewers.update(airing, state, millis(now() + 3_600_000));
  paths.push(shape.format === 'hls' ? `/hls/live/${id}/${ladder.rungs[0]!.id}.m3u8` : `/dash/live/${id}.mpd`);
}
globalThis.gc?.();
const bytesPerSession = (process.memoryUsage().heapUsed - heapBefore) / shape.sessions;
startedAt = performance.now();
servePlayers({
  channels: new Map([['live', enabled]]),
  ...{ viewers, sessions: store, now, isCounted: true, paths, bytesPerSession },
});
