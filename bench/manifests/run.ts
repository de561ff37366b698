// SPDX-License-Identifier: Apache-2.0
// `npm run bench`: the cost of personalised manifests, as ratios to a server that sends the same bytes. The servers use one core,
// the load the other. docs/performance.md describes the rows and how to read the ratios.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../../demo/listen.ts';
import { bundleOwn, bundleRevision } from '../harness/builds.ts';
import { measureInTurn, type Pair } from '../harness/pairs.ts';
import type { Sample } from '../harness/sample.ts';
import { type BenchOptions, readOptions } from './options.ts';
import { type RowResult, resultOf } from './results.ts';
import { type Row, rowsFor } from './rows.ts';
import { type Figures, measureBare, measureMidroll } from './sides.ts';
import { tableHead, tableLine } from './table.ts';

const SERVER = 'bench/manifests/server.ts';
const BARE_SERVER = 'bench/harness/bareServer.ts';
const say = (text: string) => console.log(text);
/** A bare server is warm after less time, since it has less code. */
const BARE_WARM_UP = 0.3;

type Programs = { readonly own: string; readonly bare: string; readonly base?: string };

/** Below this number of sessions, what all viewers share outweighs them. */
const LEAST_WEIGHED = 10_000;

async function pairsOf(
  row: Row,
  { own, bare, base }: Programs,
  { rounds, seconds }: BenchOptions,
): Promise<Pair<Figures>[]> {
  const { shape, against, least } = row;
  const timing = { warmUp: seconds, seconds, ...(least !== undefined && { least }) };
  const weighed = { ...shape, isWeighed: shape.sessions >= LEAST_WEIGHED };
  let sample: Sample | undefined;
  const keep = (one: Sample) => {
    sample = one;
  };
  const reference = () =>
    base !== undefined
      ? measureMidroll(base, row, shape, timing)
      : against !== undefined
        ? measureMidroll(own, row, against, timing)
        : measureBare(bare, row, sample!, { ...timing, warmUp: Math.min(BARE_WARM_UP, seconds) });
  return measureInTurn(
    rounds,
    (round) => measureMidroll(own, row, round === 0 ? weighed : shape, timing, sample === undefined ? keep : undefined),
    reference,
  );
}

async function measureRow(row: Row, programs: Programs, options: BenchOptions): Promise<RowResult> {
  const shape = { ...row.shape, ...(options.poll !== undefined && { pollSeconds: options.poll }) };
  try {
    beacons = 0;
    const pairs = await pairsOf({ ...row, shape }, programs, options);
    return resultOf(row, pairs, shape.receiver === undefined ? undefined : beacons);
  } catch (error) {
    throw new Error(`${row.id}: ${(error as Error).message}`, { cause: error });
  }
}

let beacons = 0;
const receiver = await startServer((_, response) => {
  beacons += 1;
  response.writeHead(204, { 'content-length': '0' }).end();
});
const rows = rowsFor(receiver.url);
const options = readOptions(
  process.argv.slice(2),
  rows.map(({ id }) => id),
);
const chosen = rows.filter(
  ({ id, isOptional }) => options.rows.includes(id) || (options.rows.length === 0 && !isOptional),
);

async function run(): Promise<void> {
  // The servers have the first core.
  execFileSync('taskset', ['-a', '-cp', '1', String(process.pid)], { stdio: 'ignore' });
  const other = options.base === undefined ? undefined : bundleRevision(options.base, SERVER, say);
  const programs: Programs = {
    own: bundleOwn(SERVER),
    bare: bundleOwn(BARE_SERVER),
    ...(other && { base: other.program }),
  };
  const reference = other === undefined ? 'a bare server that sends the same bytes' : other.commit;
  say(`Medians (and spread) of ${options.rounds} rounds of ${options.seconds} s. The reference is ${reference}.\n`);
  say(tableHead());
  const results: RowResult[] = [];
  for (const row of chosen) {
    const result = await measureRow(row, programs, options);
    results.push(result);
    say(tableLine(result));
  }
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ reference, results }, undefined, 2)}\n`);
}

/** Of this run: databases, samples and the other revision. */
const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
process.env.TMPDIR = folder;
try {
  if (options.isList)
    for (const { id, title, isOptional } of rows) say(`${id.padEnd(14)} ${title}${isOptional ? ' (by name)' : ''}`);
  else await run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  await receiver.close();
}
