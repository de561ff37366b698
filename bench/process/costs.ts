// SPDX-License-Identifier: Apache-2.0
// What polls, decisions and played ads cost a process, from what it used in the phases around breaks. Pure.

/** Decisions are made, then ads play, then nothing but polls is left. Windows list ads in the latter two. */
export type PhaseName = 'deciding' | 'playing' | 'quiet';

export type PhaseUse = {
  readonly name: PhaseName;
  /** Processor time of all threads. */
  readonly cpuMs: number;
  readonly polls: number;
  /** Segments of ads that were requested. */
  readonly segments: number;
};

export type ProcessCosts = {
  readonly microsPerPoll: number;
  readonly millisPerDecision: number;
  /** With its beacons; undefined if no viewer requests any. */
  readonly microsPerSegment?: number;
  /** Processor seconds of an hour of polls, and nothing else. */
  readonly pollingHour: number;
  /** The same share of all that was used. */
  readonly measuredHour: number;
  /** Breaks that a viewer has had in the time of `measuredHour`. */
  readonly breaksPerHour: number;
};

/** Of a viewer who polls every two seconds. */
export const POLLS_PER_HOUR = 1800;

const sumOf = (phases: readonly PhaseUse[]): Omit<PhaseUse, 'name'> => ({
  cpuMs: phases.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  polls: phases.reduce((sum, { polls }) => sum + polls, 0),
  segments: phases.reduce((sum, { segments }) => sum + segments, 0),
});

/** @param decisions of all viewers, for all breaks */
export function costsOf(phases: readonly PhaseUse[], decisions: number): ProcessCosts {
  const of = (name: PhaseName) => sumOf(phases.filter((phase) => phase.name === name));
  const [quiet, playing, all] = [of('quiet'), of('playing'), sumOf(phases)];
  const millisPerPoll = quiet.cpuMs / quiet.polls;
  const besides = ({ cpuMs, polls }: Omit<PhaseUse, 'name'>) => cpuMs - polls * millisPerPoll;
  return {
    microsPerPoll: 1000 * millisPerPoll,
    millisPerDecision: besides(of('deciding')) / decisions,
    ...(playing.segments > 0 && { microsPerSegment: (1000 * besides(playing)) / playing.segments }),
    pollingHour: (POLLS_PER_HOUR * millisPerPoll) / 1000,
    measuredHour: (POLLS_PER_HOUR * all.cpuMs) / all.polls / 1000,
    breaksPerHour: (POLLS_PER_HOUR * decisions) / all.polls,
  };
}
