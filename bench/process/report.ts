// SPDX-License-Identifier: Apache-2.0
// The figures of a process as text, and what is wrong with them.
import { latencyText } from '../pollers.ts';
import { costsOf, POLLS_PER_HOUR } from './costs.ts';
import { beaconsOf, type Phase, type ProcessFigures, type ProcessShape } from './measureProcess.ts';

const count = (value: number): string => Math.round(value).toLocaleString('en');
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const sumOf = <Value>(all: readonly Value[], of: (one: Value) => number): number =>
  all.reduce((sum, one) => sum + of(one), 0);

export const phaseText = ({ name, cpuMs, otherMs, ms, polls, segments, polled }: Phase): string =>
  `${name.padEnd(8)}${count(polls).padStart(10)} polls${count(segments).padStart(8)} segments` +
  `${((1000 * cpuMs) / polls).toFixed(1).padStart(8)} µs a poll; ${latencyText(polled.latencies)}; other work ${(otherMs / ms).toFixed(2)}`;

/** How many breaks of a viewer there were, and how many had ads from their start to their end. */
const breaksOf = ({ outcomes }: ProcessFigures, { viewers, joiners, breaks }: ProcessShape) => ({
  all: breaks * (viewers + joiners),
  filled: sumOf(outcomes, ({ status, count: own }) => (status === 'filled' ? own : 0)),
});

/** The share of its processor that the process could not use. */
export const otherWorkIn = ({ phases }: ProcessFigures): number =>
  sumOf(phases, ({ otherMs }) => otherMs) / sumOf(phases, ({ ms }) => ms);

export function reportOf(figures: ProcessFigures, shape: ProcessShape): string[] {
  const { phases, loadMs, joined, watched, ads, mostAge, memory } = figures;
  const { all, filled } = breaksOf(figures, shape);
  const costs = costsOf(phases, all);
  const latencies = Float64Array.from(phases.flatMap(({ polled }) => Array.from(polled.latencies))).sort();
  const ms = sumOf(phases, (phase) => phase.ms);
  const segments = sumOf(phases, (phase) => phase.segments);
  const hours = sumOf(phases, ({ polls }) => polls) / POLLS_PER_HOUR;
  const { microsPerSegment } = costs;
  return [
    `Polls: ${count(latencies.length)}, ${count((1000 * latencies.length) / ms)} a second; ${latencyText(latencies)}`,
    `Late (nothing new for more than ${mostAge} ms): ${lateIn(figures)}`,
    ...(joined === undefined
      ? []
      : [
          `Joined: ${shape.joiners - joined.failed} of ${shape.joiners}. Until their first playlist: ${latencyText(joined.latencies)}`,
          `Their polls: ${count(joined.polled.polls)}, late: ${joined.polled.late}; ${latencyText(joined.polled.latencies)}`,
        ]),
    `Processors: ${(sumOf(phases, ({ cpuMs }) => cpuMs) / ms).toFixed(2)} for the process, ${otherWorkIn(figures).toFixed(2)} of the same one for other work; ${(loadMs / ms).toFixed(2)} for viewers`,
    `A poll: ${costs.microsPerPoll.toFixed(1)} µs. A decision: ${costs.millisPerDecision.toFixed(2)} ms.`,
    ...(microsPerSegment === undefined
      ? []
      : [
          `A segment of an ad, with its beacons: ${count(microsPerSegment)} µs; ${(watched.segments / watched.ads).toFixed(1)} of each ad.`,
        ]),
    `A viewer-hour of ${count(POLLS_PER_HOUR)} polls, in processor seconds: ${costs.pollingHour.toFixed(3)} for polls; ` +
      `${costs.measuredHour.toFixed(3)} with ${costs.breaksPerHour.toFixed(1)} breaks and ${count(segments / hours)} segments, as measured.`,
    `Breaks filled: ${count(filled)} of ${count(all)}. Ad requests: ${count(ads.requests)}, repeated: ${ads.repeated}`,
    `Beacons: ${count(ads.distinctBeacons)} of ${count(beaconsOf(watched, shape))}, repeated: ${ads.beacons - ads.distinctBeacons}`,
    `Memory: ${megabytes(memory.before)} before sessions, ${megabytes(memory.opened)} before breaks, ${megabytes(memory.after)} at the end`,
  ];
}

/** Playlists that had nothing new for too long. */
const lateIn = ({ phases, joined }: ProcessFigures): number =>
  sumOf(phases, ({ polled }) => polled.late) + (joined?.polled.late ?? 0);

/** What must not happen. */
export function faultsOf(figures: ProcessFigures, shape: ProcessShape): string[] {
  const { phases, joined, watched, ads, outcomes } = figures;
  const { all, filled } = breaksOf(figures, shape);
  const failed = sumOf(phases, ({ polled }) => polled.failed) + (joined ? joined.failed + joined.polled.failed : 0);
  const late = lateIn(figures);
  const missing = beaconsOf(watched, shape) - ads.distinctBeacons;
  return [
    ...(watched.fault === undefined ? [] : [`${watched.faults} answers are wrong. ${watched.fault}`]),
    ...(failed === 0 ? [] : [`${failed} polls were not answered with a 200.`]),
    ...(late === 0 ? [] : [`${late} playlists were late.`]),
    ...(filled === all ? [] : [`${all - filled} breaks were not filled: ${JSON.stringify(outcomes)}`]),
    ...(watched.wholeAds === watched.ads
      ? []
      : [`${watched.ads - watched.wholeAds} ads were not requested to their end.`]),
    ...(missing === 0 ? [] : [`${missing} beacons are missing.`]),
    ...(shape.followers === 0 || watched.ads > 0 ? [] : ['No segment of an ad was requested.']),
  ];
}
