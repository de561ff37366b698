// SPDX-License-Identifier: Apache-2.0
// The summary of a chaos test, in lines.
import type { ChaosReport } from './runChaos.ts';

const named = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const listed = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${title} (${lines.length}):`, ...lines.slice(0, 20).map((line) => `  ${line}`)];

export function writeChaosReport(report: ChaosReport): string {
  const { seed, seconds, followers, counts, troubles, comparisons, delays, requests, beacons, creatives } = report;
  const { longestStop, refused, ...rest } = counts;
  return [
    `seed ${seed}: ${followers} followers in ${seconds} s`,
    `troubles: ${named(troubles)}`,
    `followed: ${named(rest)}`,
    `refused: ${named(refused) || 'none'}`,
    `players would have stalled: ${named(report.stalls) || 'never'}`,
    `edges behind the clock at most, in ms: ${named(longestStop)}`,
    `nodes compared: ${comparisons.manifests} manifests, ${comparisons.responses} responses`,
    `late event loops: ${delays.count}, at most ${delays.longest} ms; processor time of the test: ${report.cpu} s`,
    `ads requested: ${requests.breaks} breaks, ${requests.requests} requests, ${requests.repeated.length} repeated after a fault; ` +
      `followers saw ads in ${report.shown.breaks} breaks, and ${report.shown.ads} ads completely`,
    `beacons: ${beacons.expected} expected, ${beacons.rows} in the ledger, ${beacons.received} received, ` +
      `${beacons.marked.length} more than once and marked`,
    `creatives: ${creatives.offered} new ones offered; ${named(creatives.states)}`,
    ...listed('laws broken', report.faults),
    ...listed('ad requests repeated after a fault', requests.repeated),
    ...listed('ad requests repeated without a fault', requests.unexplained),
    ...listed('beacons lost', beacons.lost),
    ...listed('beacons sent twice and marked', beacons.marked),
    ...listed('beacons sent twice and not marked', beacons.unmarked),
    ...listed('beacons without a row', beacons.unfounded),
    ...listed('Error URLs called twice', beacons.repeatedErrors),
    ...listed('errors in logs', report.bugs),
  ].join('\n');
}
