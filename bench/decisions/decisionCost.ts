// SPDX-License-Identifier: Apache-2.0
// What a decision costs: processor time while viewers are decided, less what the same polls use while none is.

/** What reportLoop.mjs writes. */
export type LoopReport = {
  /** Milliseconds, with any origin. */
  readonly at: number;
  /** Of all threads, and of the one that serves players. */
  readonly cpuMs: number;
  readonly servingMs: number;
  /** The longest time that the serving thread computed without a pause since the report before, and how often more than 5 ms. */
  readonly longest: number;
  readonly long: number;
};

/** A time between two reports. */
export type Stretch = { readonly from: LoopReport; readonly to: LoopReport };

export type DecisionCost = {
  readonly decisions: number;
  /** Processor time of a decision in milliseconds, of all threads and of the serving one. */
  readonly ms: number;
  readonly servingMs: number;
  readonly longest: number;
  readonly long: number;
};

const length = ({ from, to }: Stretch): number => to.at - from.at;

/** @param quiet viewers poll as often as in the other stretch, and none is decided */
export function decisionCost(deciding: Stretch, quiet: Stretch, decisions: number): DecisionCost {
  const net = (of: (report: LoopReport) => number): number => {
    const used = of(deciding.to) - of(deciding.from);
    const perMs = (of(quiet.to) - of(quiet.from)) / length(quiet);
    return (used - perMs * length(deciding)) / decisions;
  };
  const { longest, long } = deciding.to;
  return { decisions, ms: net(({ cpuMs }) => cpuMs), servingMs: net(({ servingMs }) => servingMs), longest, long };
}
