// SPDX-License-Identifier: Apache-2.0
// The viewers of a bench server, and their decisions: those of the window, those of the next breaks, and later ones as time
// passes. What a decision costs is measured separately (bench/decisions), so here it is made from memory at once.
import { breakClips } from '../../src/ads/placement/breakClips.ts';
import { freshOdometer } from '../../src/ads/placement/decision.ts';
import { decidedFor, shiftOf } from '../../src/ads/placement/personalise.ts';
import { foldBefore } from '../../src/playback/decide/decisionRecorder.ts';
import type { Airing } from '../../src/playback/onAir/airing.ts';
import type { BreakDecider } from '../../src/playback/view/view.ts';
import { LOOKAHEAD_MS, leadOf } from '../../src/playback/viewers/breaks.ts';
import { reachOf } from '../../src/playback/viewers/depths.ts';
import type { Viewers } from '../../src/playback/viewers/viewers.ts';
import type { SessionState, StoredDecision } from '../../src/sessions/ports.ts';
import { foldOld } from '../../src/sessions/sessionRules.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { type Span, spanStart } from '../../src/timeline/programme/span.ts';
import { podOf } from '../benchPods.ts';
import { bytesUsed } from '../harness/bytesUsed.ts';
import { type BenchShape, channelOf, sessionIdOf, viewerOf } from './shape.ts';

/** A viewer's breaks are decided in groups of so many, so that most viewers have no undecided break, as usual. */
const BREAKS_AHEAD = 4;
const aheadOf = ({ contentSeconds, breakSeconds }: BenchShape): number =>
  1000 * BREAKS_AHEAD * (contentSeconds + breakSeconds);

const depthOf = ({ playlistSeconds, timeShiftSeconds }: BenchShape): number =>
  1000 * Math.max(playlistSeconds, timeShiftSeconds);

const breaksBetween = ({ programme }: Airing, from: number, to: number): Span[] =>
  programme.spansBetween(millis(from), millis(to)).filter(({ break: own }) => own !== undefined);

function decisionFor(airing: Airing, span: Span, viewer: number, shape: BenchShape): StoredDecision {
  const breakId = span.break!.id;
  const decision = { breakId, startsAt: spanStart(span), joined: 0, ads: podOf(breakId, viewer, shape.adFrames) };
  const clips = breakClips(decision, span.break!, airing.clips).map(({ clip }) => clip);
  return { shift: shiftOf(span.placed.clip, clips), ...decision };
}

function stateOf(airing: Airing, viewer: number, shape: BenchShape, start: Millis): SessionState {
  const { timeShiftSeconds } = shape;
  return {
    session: {
      kind: 'schedule',
      id: sessionIdOf(viewer),
      channelId: channelOf(viewer, shape),
      tenant: 't',
      life: airing.life,
      format: shape.format,
      openedAt: millis(start - depthOf(shape) - 60_000),
      ...(timeShiftSeconds > 0 && { start: millis(start - 1000 * timeShiftSeconds - 60_000) }),
      reach: reachOf(airing.channel),
      parameters: {},
      viewer: { address: '', userAgent: '' },
    },
    decisions: [],
    odometer: freshOdometer(airing.ladder.rungs.length),
    foldedBefore: millis(0),
  };
}

/** Adds decisions for breaks that have none. */
function decide(airing: Airing, state: SessionState, breaks: readonly Span[], shape: BenchShape): SessionState {
  const viewer = viewerOf(state.session.id);
  const decided = new Set(state.decisions.map(({ breakId }) => breakId));
  const open = breaks.filter((span) => !decided.has(span.break!.id));
  const made = open.map((span) => decisionFor(airing, span, viewer, shape));
  return { ...state, decisions: [...state.decisions, ...made] };
}

/** Up to when a viewer's breaks are decided at the start: viewers need their next decisions at different times. */
const decidedUntil = (viewer: number, shape: BenchShape, start: number): number =>
  start + LOOKAHEAD_MS + ((viewer * 0.618_034) % 1) * aheadOf(shape);

export type Audience = {
  /** Of a viewer whose only decisions are those of breaks in the window, before its first request; 0 if not weighed. */
  readonly bytesPerSession: number;
  /** Bytes before the first viewer. */
  readonly heapBefore: number;
};

export function fillAudience(airings: readonly Airing[], viewers: Viewers, shape: BenchShape, start: Millis): Audience {
  const from = start - depthOf(shape) - 2000;
  const inWindow = airings.map((airing) => breaksBetween(airing, from, start));
  const ahead = airings.map((airing) => breaksBetween(airing, from, start + LOOKAHEAD_MS + aheadOf(shape)));
  const fill = (breaksOf: (viewer: number) => readonly Span[]) => {
    for (let viewer = 0; viewer < shape.sessions; viewer += 1) {
      const airing = airings[viewer % airings.length]!;
      const state = stateOf(airing, viewer, shape, start);
      viewers.update(airing, decide(airing, state, breaksOf(viewer), shape), start);
    }
  };
  const heapBefore = bytesUsed();
  if (shape.isWeighed) fill((viewer) => inWindow[viewer % airings.length]!);
  const bytesPerSession = (bytesUsed() - heapBefore) / shape.sessions;
  fill((viewer) => {
    const until = decidedUntil(viewer, shape, start);
    return ahead[viewer % airings.length]!.filter((span) => spanStart(span) < until);
  });
  return { bytesPerSession, heapBefore };
}

/** Decides in memory, as early before a break as the product begins to. */
export function memoryDecider(viewers: Viewers, shape: BenchShape): BreakDecider {
  return {
    begin(airing, viewer, own, now) {
      if (now < own.due - leadOf(own, viewer.spread) || decidedFor(viewer.choices.decided, own.span.break!.id)) return;
      const next = breaksBetween(airing, own.startsAt, own.startsAt + aheadOf(shape));
      const kept = foldOld(viewer.state, foldBefore(viewer.choices, now - depthOf(shape) - 10_000));
      viewers.update(airing, decide(airing, kept, next, shape), now);
    },
    async settle(_airing, viewer) {
      throw new Error(`Viewer ${viewerOf(viewer.session.id)} reached a break that was not decided.`);
    },
  };
}
