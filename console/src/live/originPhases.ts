// SPDX-License-Identifier: Apache-2.0
// The health of an origin over time, from the changes that the API lists. What viewers were shown content from counts more
// than the state of the origin: while a backup or slate is on air, the origin is failing or stalled anyway.

import type { Statuses } from '../components/feedback/Badge.tsx';
import type { OnAirKind, OriginEvent, OriginState } from './liveTypes.ts';

export const originPhases: Statuses<OriginPhase> = {
  working: ['good', 'Working'],
  backup: ['info', 'Backup'],
  slate: ['ad', 'Slate'],
  stalled: ['warn', 'Stalled'],
  failing: ['bad', 'Failing'],
  ended: ['calm', 'Ended'],
  idle: ['calm', 'Idle'],
  unknown: ['calm', 'Unknown'],
};

export type OriginPhase = 'working' | 'backup' | 'slate' | 'stalled' | 'failing' | 'ended' | 'idle' | 'unknown';
export type PhaseSpan = {
  readonly phase: OriginPhase;
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly reason?: string | undefined;
};

/** An event, or the state of now: idle times are not events, because nothing is read then. */
export type OriginChange = Pick<OriginEvent, 'at' | 'reason'> & {
  readonly state: OriginState;
  readonly onAir: OnAirKind;
};

export function phaseOf({ state, onAir }: Pick<OriginChange, 'state' | 'onAir'>): OriginPhase {
  if (state === 'idle') return 'idle';
  if (onAir !== 'source') return onAir;
  return state === 'ok' ? 'working' : state;
}

/**
 * The phases of one origin without gaps. The time before its first event is unknown.
 * @param events in any order @param from milliseconds @param to milliseconds, usually now
 */
export function phasesBetween(events: readonly OriginChange[], from: number, to: number): PhaseSpan[] {
  const oldestFirst = [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const changes = [
    { at: Number.NEGATIVE_INFINITY, phase: 'unknown' as OriginPhase, reason: undefined },
    ...oldestFirst.map((event) => ({ at: Date.parse(event.at), phase: phaseOf(event), reason: event.reason })),
  ];
  const spans: PhaseSpan[] = [];
  for (const [index, { at, phase, reason }] of changes.entries()) {
    const start = Math.max(at, from);
    const end = Math.min(changes[index + 1]?.at ?? to, to);
    if (end <= start) continue;
    const last = spans.at(-1);
    if (last?.phase === phase) spans[spans.length - 1] = { ...last, to: end, reason: reason ?? last.reason };
    else spans.push({ phase, from: start, to: end, reason });
  }
  return spans;
}

/** The time of the first change; nothing is known of the time before it. Milliseconds. */
export const firstChange = (events: readonly Pick<OriginEvent, 'at'>[]): number =>
  Math.min(...events.map(({ at }) => Date.parse(at)));

/** Milliseconds in each phase that occurs, the longest first. */
export function phaseTotals(spans: readonly PhaseSpan[]): [OriginPhase, number][] {
  const totals = new Map<OriginPhase, number>();
  for (const { phase, from, to } of spans) totals.set(phase, (totals.get(phase) ?? 0) + to - from);
  return [...totals].sort(([, a], [, b]) => b - a);
}
