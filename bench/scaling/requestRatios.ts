// SPDX-License-Identifier: Apache-2.0
// What a manifest costs on several nodes, against one node in the same seconds. Pure.
import { median } from '../harness/pairs.ts';
import { isQuiet } from './eventCosts.ts';
import { withoutIdle } from './figures.ts';
import type { Phases } from './measureInstallations.ts';

export type RequestCost = {
  readonly name: string;
  /** Processor milliseconds of a manifest, without what nodes use when there are no viewers: the median of all windows. */
  readonly nodeMs: number;
  /** The same with what they use then. */
  readonly grossMs: number;
  /** `nodeMs` against one node in the same window: the median, the least and the greatest. */
  readonly ratio: readonly [median: number, least: number, greatest: number];
  readonly rereads: number;
};

/** @param one the installation with one node */
export function requestCosts(one: Phases, all: readonly Phases[]): RequestCost[] {
  const own = ({ polling, idle }: Phases) =>
    polling.filter(isQuiet).map((window) => {
      const used = withoutIdle(window, idle);
      const { manifests } = window.players;
      return {
        net: used.cpuMs / manifests,
        gross: window.cpuMs / manifests,
        calls: (used.redis?.calls ?? 0) / manifests,
      };
    });
  const base = own(one);
  return all.map((phases) => {
    const windows = own(phases);
    const ratios = windows.slice(0, base.length).map(({ net }, index) => net / base[index]!.net);
    return {
      name: phases.shape.name,
      nodeMs: median(windows.map(({ net }) => net)),
      grossMs: median(windows.map(({ gross }) => gross)),
      ratio: [median(ratios), Math.min(...ratios), Math.max(...ratios)],
      rereads: median(windows.map(({ calls }) => calls)),
    };
  });
}
