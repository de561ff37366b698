// SPDX-License-Identifier: Apache-2.0
// `npm run bench:workers`: how much more two processes on the live port can serve than one (WORKERS), on as many processors. Rounds
// alternate.
import { parseArgs } from 'node:util';
import { bundleOwn } from '../harness/builds.ts';
import { measureInTurn, ratiosOf, spreadOf } from '../harness/pairs.ts';
import { measureWorkers, type WorkersFigures } from './measureWorkers.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { rounds: text, workers: text } });
const rounds = Number(values.rounds ?? 3);
const workers = Number(values.workers ?? 2);

/** Requests per second on processors of their own: the busiest process limits. */
const capacityOf = ({ micros, largestShare }: WorkersFigures): number => 1e6 / (micros * largestShare);

const program = bundleOwn('src/main.ts');
const pairs = await measureInTurn(
  rounds,
  () => measureWorkers(program, workers),
  () => measureWorkers(program, 1),
);

const show = (name: string, all: readonly WorkersFigures[]): void => {
  const median = (of: (one: WorkersFigures) => number) => spreadOf(all.map(of)).median;
  const micros = median(({ micros: one }) => one).toFixed(1);
  const share = (100 * median(({ largestShare }) => largestShare)).toFixed(0);
  console.log(
    `WORKERS=${name}: ${micros} µs a request; busiest process ${share} %; ${median(capacityOf).toFixed(0)} requests/s`,
  );
};
show(
  '1',
  pairs.map(({ reference }) => reference),
);
show(
  String(workers),
  pairs.map(({ own }) => own),
);
const { median, least, most } = ratiosOf(pairs, ({ own, reference }) => capacityOf(own) / capacityOf(reference));
console.log(`Ratio: ${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)}), medians of ${rounds} rounds.`);
