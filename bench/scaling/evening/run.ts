// SPDX-License-Identifier: Apache-2.0
// `npm run bench:evening`: a million viewers over an evening in virtual time, with the breaks of all channels at the same time and
// not, from the costs that `npm run bench:scaling` has measured. BENCH_VIEWERS, BENCH_NODES, BENCH_ROUTING: other installations.
import { readMeasured } from '../costs.ts';
import { EVENING } from './evening.ts';
import { SERIES, type SimulatedEvening, simulateEvening } from './simulateEvening.ts';

const settings = {
  viewers: Number(process.env.BENCH_VIEWERS ?? EVENING.viewers),
  nodes: Number(process.env.BENCH_NODES ?? EVENING.nodes),
  routing: process.env.BENCH_ROUTING === 'random' ? ('random' as const) : ('sticky' as const),
};
const { costs, rereadMs } = readMeasured();
const measured = { sticky: costs['redis sticky']!, reread: rereadMs };

const say = (name: string, columns: readonly (number | string)[]) =>
  console.log(name.padEnd(20) + columns.map((column) => column.toLocaleString('en').padStart(16)).join(''));

const most = (values: Float64Array): number => values.reduce((one, other) => Math.max(one, other), 0);

/** The mean of the busiest stretch of so many seconds. */
function busiest(values: Float64Array, seconds: number): number {
  let sum = values.subarray(0, seconds).reduce((total, value) => total + value, 0);
  let found = sum;
  for (let end = seconds; end < values.length; end += 1) {
    sum += values[end]! - values[end - seconds]!;
    found = Math.max(found, sum);
  }
  return Math.round(found / seconds);
}

const peaks = ({ counts }: SimulatedEvening, name: string): number[] => [
  busiest(counts[name]!, 60),
  Math.round(most(counts[name]!)),
];

const began = performance.now();
const [aligned, apart] = [true, false].map((isAligned) =>
  simulateEvening({ ...EVENING, ...settings, isAligned }, measured),
) as [SimulatedEvening, SimulatedEvening];
const { viewers, nodes, routing } = settings;
console.log(
  `${viewers.toLocaleString('en')} viewers, ${EVENING.channels} channels, ${nodes} nodes, ${routing} routing: ${aligned.visits.toLocaleString('en')} visits in ${EVENING.hours} hours.\n`,
);
say('', ['', 'breaks apart', '', 'breaks aligned', '']);
say('each second', ['busiest hour', 'busiest minute', 'busiest second', 'busiest minute', 'busiest second']);
for (const name of SERIES)
  say(name, [busiest(apart.counts[name]!, 3600), ...peaks(apart, name), ...peaks(aligned, name)]);
console.log(`\nComputed in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
