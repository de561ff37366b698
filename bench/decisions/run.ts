// SPDX-License-Identifier: Apache-2.0
// `npm run bench:decisions`: the processor time of a viewer's decision, from the ad request to the stored record, in all threads.
// With --base REV, in turn with the server of another revision; with --steps, one ad server in turn with three steps.
import { parseArgs } from 'node:util';
import { bundleOwn, bundleRevision } from '../harness/builds.ts';
import { measureInTurn, ratiosOf, spreadOf } from '../harness/pairs.ts';
import { type MeasuredDecisions, measureDecisions } from './measureDecisions.ts';

const SERVER = 'src/main.ts';
const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { base: text, rounds: text, viewers: text, steps: { type: 'boolean' } } });
const viewers = Number(values.viewers ?? 1500);
const rounds = Number(values.rounds ?? (values.base === undefined ? 1 : 3));

const say = (line: string) => console.log(line);
const line = (name: string, cells: readonly string[]) =>
  say(name.padEnd(24) + cells.map((one) => one.padStart(12)).join(''));

function show(name: string, all: readonly MeasuredDecisions[]): void {
  const median = (of: (one: MeasuredDecisions) => number) => spreadOf(all.map(of)).median;
  line(name, [
    String(median(({ decisions }) => decisions)),
    median(({ ms }) => ms).toFixed(2),
    median(({ servingMs }) => servingMs).toFixed(2),
    median(({ longest }) => longest).toFixed(1),
    String(median(({ long }) => long)),
    median(({ p99 }) => p99).toFixed(1),
    String(median(({ failed }) => failed)),
    `${Math.round(100 * median(({ full }) => full))} %`,
  ]);
}

const head = ['decisions', 'ms each', 'serving', 'longest ms', 'over 5 ms', 'p99 ms', 'failed', 'full'];
say(`Processor time of a decision; medians of ${rounds} rounds of ${viewers} viewers.`);
const own = bundleOwn(SERVER);
const other = values.base === undefined ? undefined : bundleRevision(values.base, SERVER, say);
const measureOwn = () => measureDecisions(own, viewers);
if (values.steps) {
  const pairs = await measureInTurn(
    rounds,
    () => measureDecisions(own, viewers, 'steps'),
    () => measureDecisions(own, viewers),
  );
  line('', head);
  show(
    'one ad server',
    pairs.map(({ reference }) => reference),
  );
  show(
    'three steps',
    pairs.map((pair) => pair.own),
  );
  const { median, least, most } = ratiosOf(pairs, (pair) => pair.own.ms / pair.reference.ms);
  say(
    `\nThree steps cost ${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)}) times as much as one ad server.`,
  );
} else if (other === undefined) {
  const all: MeasuredDecisions[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measureOwn());
  line('', head);
  show('a decision', all);
} else {
  const pairs = await measureInTurn(rounds, measureOwn, () => measureDecisions(other.program, viewers));
  line('', head);
  show(
    other.commit,
    pairs.map(({ reference }) => reference),
  );
  show(
    'this tree',
    pairs.map((pair) => pair.own),
  );
  const { median, least, most } = ratiosOf(pairs, (pair) => pair.reference.ms / pair.own.ms);
  say(`\nRatio of the processor time: ${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)}).`);
}
