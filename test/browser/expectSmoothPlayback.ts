// SPDX-License-Identifier: Apache-2.0
import { expect } from 'vitest';
import { type Fault, judgeFaults } from './judgeFaults.ts';
import type { PlayReport } from './players.ts';

/** Seconds. A shorter hole is between two segments; a longer one is a segment that has not arrived yet. */
const SHORT = 1;
/** Seconds by which the clocks of the page may differ. */
const TOLERANCE = 1;
/** hls.js waits ten seconds for a playlist, three times. */
const TIMEOUT_MS = 30_000;

/** The test has neither passed nor found a fault of the stream, because the machine was busy. */
class NotJudgedError extends Error {
  override readonly name = 'NotJudgedError';
}

/** @throws NotJudgedError when only a busy machine may have caused the faults */
export function expectNoFaults(faults: readonly Fault[], busy: PlayReport['busy']): void {
  const verdict = judgeFaults(faults, busy);
  expect(verdict.faults, verdict.faults.join('; ')).toEqual([]);
  if (verdict.notJudged !== undefined) throw new NotJudgedError(verdict.notJudged);
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;

/** Seconds: an audio frame of at most 32 ms, and the 18 ms that rx-player adds. */
const FRAME_SKIP = 0.05;

/**
 * rx-player starts with 1.5 s of buffer (`RESUME_GAP_AFTER_SEEKING`). If the audio of a Period ends before the Period, and before
 * that, it starts with the next Period instead of waiting for it (its rebuffering controller), and warns.
 */
function isSkippedFrame({ what, why }: PlayReport['errors'][number]): boolean {
  if (what !== 'rx-player DISCONTINUITY_ENCOUNTERED') return false;
  const [, from, to] = /at position ([\d.]+), seeking at position ([\d.]+)$/.exec(why) ?? [];
  return Number(to) - Number(from) < FRAME_SKIP;
}

/** hls.js also reports the requests that it cancels, as after a seek, and buffers that do not grow until it shows a frame. */
const isOrdinary = (error: PlayReport['errors'][number], from: number | null): boolean =>
  !error.fatal &&
  (error.what === 'networkError: aborted' ||
    ((error.what.startsWith('mediaError: buffer') || isSkippedFrame(error)) && (from === null || error.at <= from)));

/** Playback can go on after a timeout that is fatal: that of subtitles, for example. Load causes no other fatal error. */
const errorsOf = ({ errors, from }: Pick<PlayReport, 'errors' | 'from'>): Fault[] =>
  errors
    .filter((error) => !isOrdinary(error, from))
    .map(({ fatal, what, why, wall }) => ({
      ...{ what: `the player reported ${fatal ? 'a fatal error' : 'an error'} (${what}: ${why})`, wall },
      ...(fatal && what.endsWith('TimeOut') ? { length: TIMEOUT_MS } : {}),
      ...(fatal && !what.endsWith('TimeOut') ? { cause: 'stream' as const } : {}),
    }));

export const stallsOf = ({ stalls }: Pick<PlayReport, 'stalls'>): Fault[] =>
  stalls.map(({ at, length, wall }) => ({
    what: `playback stalled at ${seconds(at)} for ${seconds(length)}`,
    ...{ wall, length: 1000 * length },
  }));

export const gapsOf = ({ gaps }: Pick<PlayReport, 'gaps'>): Fault[] =>
  gaps.map(({ at, length, wall }) => ({
    what: `no frame was shown at ${seconds(at)} for ${length.toFixed(2)} s`,
    ...{ wall, length: 1000 * length },
  }));

/** The player's own seeks. That over a hole between two segments has its cause in the stream. */
const seeksOf = ({ seeks }: PlayReport): Fault[] =>
  seeks.map(({ from, to, hole, wall }) => ({
    what: `playback jumped from ${seconds(from)} to ${seconds(to)} over ${hole.toFixed(3)} s without media`,
    wall,
    ...(hole > 0.001 && hole < SHORT ? { cause: 'stream' as const } : {}),
  }));

/** Samples that follow each other closely are of one hole. */
function holesOf({ holes }: PlayReport): Fault[] {
  const starts = holes.flatMap(({ wall }, index) =>
    wall - (holes[index - 1]?.wall ?? 0) > 1000 * SHORT ? [index] : [],
  );
  return starts.map((start, index) => {
    const [first, last] = [holes[start]!, holes[(starts[index + 1] ?? holes.length) - 1]!];
    const what = `the buffer had more than one range from ${seconds(first.at)} to ${seconds(last.at)}`;
    return { what, wall: last.wall, length: last.wall - first.wall };
  });
}

/** Without subtitles, although a cue was due. */
export const silencesOf = ({ silences }: Pick<PlayReport, 'silences'>): Fault[] =>
  silences.map(({ length, wall }) => ({
    what: `no subtitle was shown for ${seconds(length)}`,
    ...{ wall, length: 1000 * length },
  }));

/** Many stops that are too short for a stall. A presentation that has ended was played whole. */
function lossOf({ from, to, watched, clockLost, ended, wall, busy }: PlayReport): Fault[] {
  if (from === null) return [{ what: 'playback did not start', wall, cause: 'stream' }];
  if (ended) return [];
  const lost = watched - clockLost - (to - from);
  if (lost <= TOLERANCE) return [];
  const busySeconds = busy.reduce((sum, each) => sum + each.to - each.from, 0) / 1000;
  const what = `playback advanced ${seconds(to - from)} in ${seconds(watched - clockLost)}`;
  return [
    { what, wall, length: 1000 * watched, ...(lost > TOLERANCE + busySeconds ? { cause: 'stream' as const } : {}) },
  ];
}

/** Video with audio stops with the clock of the audio output, for which no stream is the cause. */
function clockStopsOf({ clockStops, clockLost, watched, wall }: PlayReport): Fault[] {
  const stops = clockStops.map((stop) => ({
    what: `the audio output of the browser stopped at ${seconds(stop.at)} for ${seconds(stop.length)}`,
    ...{ wall: stop.wall, length: 1000 * stop.length, cause: 'machine' as const },
  }));
  if (stops.length > 0 || clockLost <= TOLERANCE) return stops;
  const what = `the audio output of the browser lost ${seconds(clockLost)}`;
  return [{ what, wall, length: 1000 * watched, cause: 'machine' }];
}

/** Expects no error, fatal or not. */
export const expectNoErrors = (report: Pick<PlayReport, 'errors' | 'from' | 'busy'>): void =>
  expectNoFaults(errorsOf(report), report.busy);

/**
 * Expects playback without interruption from the first frame to the last.
 * @param more other faults in the same playback
 */
export function expectSmoothPlayback(report: PlayReport, more: readonly Fault[] = []): void {
  const rules = [errorsOf, stallsOf, seeksOf, holesOf, silencesOf, lossOf, clockStopsOf];
  expectNoFaults([...rules.flatMap((faultsOf) => faultsOf(report)), ...more], report.busy);
}
