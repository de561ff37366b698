// SPDX-License-Identifier: Apache-2.0
// Viewers who watch a channel through its breaks, and what the process uses meanwhile, by the phases around a break.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Break, nextBreaks, sleepUntil, untilServed } from '../channel.ts';
import { joinOver } from '../joiners.ts';
import {
  type Connections,
  openAll,
  openConnections,
  openSession,
  type PollFigures,
  type Polling,
  pollUntil,
} from '../pollers.ts';
import type { AdFigures } from '../scaling/figures.ts';
import { type ProcessorUse, residentBytes, useOf } from '../scaling/processorTime.ts';
import type { PhaseName, PhaseUse } from './costs.ts';
import { CYCLE_MS, type Outcome, PLAYED_MS, type Stage } from './stage.ts';
import { type Watched, watchBreaks } from './watching.ts';

export type ProcessShape = {
  readonly viewers: number;
  /** How many of them request the segments of their ads. */
  readonly followers: number;
  /** How many more join while the ads of the others are decided. They poll every two seconds. */
  readonly joiners: number;
  /** Between two polls of a viewer. 0: without a pause. */
  readonly pollMs: number;
  readonly breaks: number;
  /** Whether the channel requests its ad sources in three steps. */
  readonly hasSteps: boolean;
};

export type Phase = PhaseUse & ProcessorUse & { readonly polled: PollFigures };

export type Joined = { readonly failed: number; readonly latencies: Float64Array; readonly polled: PollFigures };

export type ProcessFigures = {
  readonly phases: readonly Phase[];
  /** Processor time of the viewers. */
  readonly loadMs: number;
  readonly joined: Joined | undefined;
  readonly watched: Watched;
  readonly outcomes: readonly Outcome[];
  /** When nothing more arrived. */
  readonly ads: AdFigures;
  readonly mostAge: number;
  readonly memory: { readonly before: number; readonly opened: number; readonly after: number };
};

/** Without a pause, each is waiting for an answer all the time. */
const CONNECTIONS = 64;
/** A poll that waits for a decision must not delay those of other viewers. */
const PAUSED_CONNECTIONS = 512;
/** Viewers for whom creatives are conditioned. */
const EARLY = 16;
const USUAL_POLL_MS = 2000;
/** When sessions are opened, before a break. Code is compiled until decisions begin. */
const OPENING_MS = 78_000;
/** From the first decision of a break to the break (src/playback/viewers/breaks.ts), and from its first listed ad. */
const DECIDING_MS = 61_000;
const LISTING_MS = 4000;
const JOIN_BEFORE_MS = 26_000;
const JOIN_MS = 10_000;
/** An impression, creativeView, and five events of progress. */
const BEACONS_PER_AD = 7;
/** With steps, half of the ads are a bidder's, which is billed. */
export const beaconsOf = ({ ads }: Watched, { hasSteps }: ProcessShape): number =>
  ads * BEACONS_PER_AD + (hasSteps ? ads / 2 : 0);
const BEACONS_TIMEOUT_MS = 60_000;

const phasesOf = ({ startsAt }: Break): { readonly name: PhaseName; readonly end: number }[] => [
  { name: 'deciding', end: startsAt - LISTING_MS },
  { name: 'playing', end: startsAt + PLAYED_MS },
  { name: 'quiet', end: startsAt + CYCLE_MS - DECIDING_MS },
];

/** Puts the channel on air, and conditions its creatives for the first break. @returns the next breaks */
export async function prepare(stage: Stage, breaks: number): Promise<Break[]> {
  await stage.createChannel();
  await untilServed(stage.midroll);
  const [first, ...next] = await nextBreaks(stage.midroll);
  const connections = await openConnections(stage.midroll.liveUrl, EARLY);
  const early = await openAll(connections, EARLY);
  const end = first!.startsAt + LISTING_MS;
  await pollUntil(connections, early, { every: USUAL_POLL_MS, until: end, mostAge: Number.POSITIVE_INFINITY });
  connections.close();
  return next.slice(0, breaks);
}

async function join(connections: Connections, count: number, from: number, polling: Polling): Promise<Joined> {
  await sleepUntil(from - JOIN_BEFORE_MS);
  const open = async () => {
    const path = await openSession(connections);
    return path !== undefined && (await connections.get(path)).status === 200 ? path : undefined;
  };
  const { failed, latencies, paths } = await joinOver(open, count, JOIN_MS);
  return { failed, latencies, polled: await pollUntil(connections, paths, polling) };
}

async function settledAds({ ads }: Stage, beacons: number): Promise<AdFigures> {
  const deadline = Date.now() + BEACONS_TIMEOUT_MS;
  for (;;) {
    const figures = await ads();
    if (figures.distinctBeacons >= beacons || Date.now() > deadline) return figures;
    await sleep(500);
  }
}

export async function measureProcess(
  stage: Stage,
  shape: ProcessShape,
  onPhase: (phase: Phase) => void,
): Promise<ProcessFigures> {
  const { liveUrl, pid } = stage.midroll;
  const breaks = await prepare(stage, shape.breaks);
  const phasesAll = breaks.flatMap(phasesOf);
  const [first, end] = [breaks[0]!.startsAt, phasesAll.at(-1)!.end];
  await sleepUntil(first - OPENING_MS);
  const before = residentBytes(pid());
  const connections = await openConnections(liveUrl, shape.pollMs === 0 ? CONNECTIONS : PAUSED_CONNECTIONS);
  const paths = await openAll(connections, shape.viewers);
  const { body } = await connections.get(paths[0]!);
  const mostAge = 1500 * Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(body)?.[1]);
  const watching = watchBreaks(connections, breaks, paths.slice(0, shape.followers));
  const polling = { mostAge, onPlaylist: watching.onPlaylist };
  const joined =
    shape.joiners === 0
      ? undefined
      : join(connections, shape.joiners, first, { ...polling, every: USUAL_POLL_MS, until: end });
  const pollTo = (time: number) => pollUntil(connections, paths, { ...polling, every: shape.pollMs, until: time });
  await pollTo(first - DECIDING_MS);
  const opened = residentBytes(pid());

  const phases: Phase[] = [];
  const load = process.cpuUsage();
  for (const { name, end: time } of phasesAll) {
    const [from, used] = [watching.watched(), useOf(pid())];
    const polled = await pollTo(time);
    const [to, use] = [watching.watched(), used()];
    const counts = { polls: to.polls - from.polls, segments: to.segments - from.segments };
    const phase = { name, ...use, ...counts, polled };
    phases.push(phase);
    onPhase(phase);
  }
  const { user, system } = process.cpuUsage(load);
  while (watching.isWaiting()) await sleep(10);
  const all = await joined;
  connections.close();
  const watched = watching.watched();
  const ads = await settledAds(stage, beaconsOf(watched, shape));
  return {
    ...{ phases, loadMs: (user + system) / 1000, joined: all, watched, ads, mostAge },
    outcomes: breaks.flatMap(({ breakId }) => stage.outcomes(breakId)),
    memory: { before, opened, after: residentBytes(pid()) },
  };
}
