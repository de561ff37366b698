// SPDX-License-Identifier: Apache-2.0
// The breaks of the origins of the soak, at random: of all lengths and behaviours, one within another, announced ahead, moved and
// cancelled before they start; and the style of their markers changes.
import { type AddedBreak, behaviours } from '../../live/origin/breakPlan.ts';
import { type DashMarkers, dashMarkers } from '../../live/origin/markers/dashMarkers.ts';
import { type HlsMarkers, hlsMarkers } from '../../live/origin/markers/hlsMarkers.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import type { SoakOrigin } from './soakOrigin.ts';

export type SoakBreaks = {
  /** Called once a second. */
  tick(): void;
  readonly counts: Map<string, number>;
};

export function createSoakBreaks(origins: readonly SoakOrigin[], random: () => number, now: () => number): SoakBreaks {
  const counts = new Map<string, number>();
  const nextAt = new Map(origins.map((origin) => [origin, now() + 20_000 * random()]));
  const styleAt = new Map(origins.map((origin) => [origin, 0]));
  let id = 500;
  const count = (kind: string) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

  function add(origin: SoakOrigin): void {
    const run = origin.broadcast.runAt(now());
    const edge = origin.broadcast.edgeAt(run, now());
    const { added } = run.breaks;
    // Breaks that have left all windows.
    added.splice(0, added.length, ...added.filter(({ start }) => start > edge - 400));
    const lead = random() < 0.4 ? Math.floor(12 * random()) : 0;
    const behaviour = pick(random, behaviours);
    const start = edge + 1 + Math.ceil(lead + 3 * random());
    added.push({ id: id++, start, seconds: 2 + Math.floor(50 * random() ** 2), behaviour, lead });
    count(behaviour);
    if (random() < 0.12) {
      added.push({
        id: id++,
        start: start + 1 + Math.floor(4 * random()),
        seconds: 2 + Math.floor(20 * random()),
        behaviour: pick(random, behaviours),
      });
      count('within another or overlapping');
    }
  }

  /** Until a break starts, it can be moved or cancelled. */
  function change(origin: SoakOrigin): void {
    const run = origin.broadcast.runAt(now());
    const edge = origin.broadcast.edgeAt(run, now());
    const { added } = run.breaks;
    const index = added.findIndex(({ start, lead = 0 }) => start > edge + 2 && start - lead <= edge);
    const one = added[index] as AddedBreak | undefined;
    if (one === undefined || random() > 0.15) return;
    if (random() < 0.5) {
      added.splice(index, 1);
      count('cancelled');
    } else {
      added[index] = { ...one, start: one.start + 1 + Math.floor(5 * random()) };
      count('moved');
    }
  }

  return {
    counts,
    tick() {
      for (const origin of origins) {
        if (now() >= styleAt.get(origin)!) {
          origin.options.hlsMarkers = pick<HlsMarkers>(random, ['none', ...hlsMarkers, ...hlsMarkers]);
          origin.options.dashMarkers = pick<DashMarkers>(random, ['none', ...dashMarkers, ...dashMarkers]);
          styleAt.set(origin, now() + 60_000 + 400_000 * random());
        }
        change(origin);
        if (now() < nextAt.get(origin)!) continue;
        add(origin);
        nextAt.set(origin, now() + 15_000 + 90_000 * random());
      }
    },
  };
}
