// SPDX-License-Identifier: Apache-2.0
// `npm run bench:live`: the cost of manifests of a live channel during a break, as ratios to those of a channel made of assets in
// the same situation. The two servers are measured in turn, so that other work on the machine affects them alike.
import { loadavg } from 'node:os';
import { type Measured, measure, SECONDS, start } from './harness/measure.ts';
import type { LiveShape } from './liveServer.ts';
import { type BenchShape, usualShape } from './manifests/shape.ts';
import { manifestPaths } from './manifests/traffic.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 10_000);
/** The break is on air during all rounds. */
const BREAK_SECONDS = 2 * Math.ceil(ROUNDS * (SECONDS + 2) + 30);
/** In frames, of 13 seconds on average: each viewer has others. */
const OWN_ADS = Array.from({ length: Math.floor(BREAK_SECONDS / 40) }, () => [250, 375, 375]).flat();
/** One in 600 viewers has the same. */
const SHARED_ADS = [250, 375];

const base: LiveShape = {
  ...{ sessions: SESSIONS, format: 'hls', adFrames: OWN_ADS, fill: 'slate' },
  breakSeconds: BREAK_SECONDS,
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function row(name: string, change: Partial<LiveShape>): Promise<void> {
  const shape: LiveShape = { ...base, ...change };
  const { sessions, format, adFrames, breakSeconds } = shape;
  const linear: BenchShape = {
    ...{ ...usualShape, items: 10, itemSeconds: 1800, contentSeconds: 1800, intoBreakSeconds: 10, pollSeconds: 0 },
    ...{ sessions, format, adFrames, breakSeconds },
  };
  // Both breaks begin ten seconds before the first round.
  const [other, live] = await Promise.all([
    start('manifests/server.ts', JSON.stringify(linear)),
    start('liveServer.ts', JSON.stringify(shape)),
  ]);
  const rounds: (readonly [Measured, Measured])[] = [];
  const linearServer = { ...other, paths: manifestPaths(linear) };
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push([await measure(linearServer), await measure(live)] as const);
  for (const { process: child } of [other, live]) child.kill();
  const of = (value: (other: Measured, own: Measured) => number) => median(rounds.map(([one, own]) => value(one, own)));
  const columns = [
    of((one) => one.microsPerRequest).toFixed(1),
    of((_, own) => own.microsPerRequest).toFixed(1),
    (of((_, own) => own.microsPerRequest) / of((one) => one.microsPerRequest)).toFixed(2),
    (of((one) => one.perSecond) / of((_, own) => own.perSecond)).toFixed(2),
    of((one) => one.bytesPerAnswer).toFixed(0),
    of((_, own) => own.bytesPerAnswer).toFixed(0),
    of((_, own) => own.p99).toFixed(1),
    String(Math.round(live.bytesPerSession ?? 0)),
    loadavg()[0]!.toFixed(1),
  ];
  console.log(name.padEnd(50) + columns.map((text) => text.padStart(9)).join(''));
}

console.log(
  `Manifests of ${SESSIONS} viewers in a break; medians of ${ROUNDS} rounds of ${SECONDS} s, in turn with a channel of assets.\n`,
);
const heads = ['µs there', 'µs live', 'CPU', 'rate', 'bytes', 'live', 'p99 ms', 'memory', 'load'];
console.log(' '.repeat(50) + heads.map((text) => text.padStart(9)).join(''));
await row('HLS, nothing shared', {});
await row('HLS, shared by 17 viewers each', { adFrames: SHARED_ADS });
await row('HLS, nothing shared, a marker on each segment', { hasContinuation: true });
await row('HLS, nothing shared, breaks show content', { fill: 'content' });
await row('HLS, nothing shared, after a pre-roll', { hasPreroll: true });
await row('DASH, nothing shared', { format: 'dash' });
await row('DASH, nothing shared, after a pre-roll', { format: 'dash', hasPreroll: true });
