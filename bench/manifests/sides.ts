// SPDX-License-Identifier: Apache-2.0
// The two sides of a row. Each measurement starts a fresh server, warms it up, measures it and ends it.
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '../harness/load.ts';
import { type Measured, measureUnder, memoryOf, type Server, start, type Timing } from '../harness/measure.ts';
import { fetchSample, type Sample, sampleOf } from '../harness/sample.ts';
import { manifestFault } from './manifestFault.ts';
import type { Row } from './rows.ts';
import type { BenchShape } from './shape.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export type Figures = Measured & {
  /** Before the first request, and after the last; only if it was weighed. */
  readonly bytesPerSession?: readonly [atRest: number, served: number];
  /** Segments of ads that were requested, during the warm-up too. */
  readonly segments?: number;
};

async function end({ process: child }: Server): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function expectNoFault<Value extends Measured>(measured: Value): Value {
  if (measured.fault !== undefined) throw new Error(`wrong answer: ${measured.fault}`);
  return measured;
}

/** Keeps some answers, to choose one of the usual length. */
function sampling(fault: Traffic['fault']) {
  const kept: { readonly head: string; readonly body: Buffer }[] = [];
  let count = 0;
  return {
    kept,
    fault(path: string, answer: Answer) {
      count += 1;
      const isWhole = answer.first === answer.last && answer.head.startsWith('HTTP/1.1 200');
      if (isWhole && count % 97 === 0 && kept.length < 2000)
        kept.push({ head: answer.head, body: Buffer.from(answer.first) });
      return fault(path, answer);
    },
  };
}

/** An answer whose length is nearest to the mean. */
async function sampleNear(kept: ReturnType<typeof sampling>['kept'], server: Server, path: string): Promise<Sample> {
  if (kept.length === 0) return fetchSample(`http://127.0.0.1:${server.port}${path}`);
  const mean = kept.reduce((sum, { body }) => sum + body.length, 0) / kept.length;
  const distance = ({ body }: (typeof kept)[number]) => Math.abs(body.length - mean);
  const nearest = kept.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  return sampleOf(nearest.head, nearest.body);
}

/** @param keep receives a real answer, of the usual length */
export async function measureMidroll(
  program: string,
  row: Row,
  shape: BenchShape,
  timing: Timing,
  keep?: (sample: Sample) => void,
): Promise<Figures> {
  const server = await start(program, JSON.stringify(shape));
  try {
    const isReference = shape === row.against;
    const { next, fault, segments } = createTraffic(shape, row.isGzip === true && !isReference);
    const samples = sampling(fault);
    const headers = isReference ? '' : (row.headers ?? '');
    const load = { next, headers, fault: keep === undefined ? fault : samples.fault };
    const measured = { ...expectNoFault(await measureUnder(server, load, timing)), segments: segments() };
    keep?.(await sampleNear(samples.kept, server, next()));
    if (!shape.isWeighed) return measured;
    const served = (await memoryOf(server)) / shape.sessions;
    return { ...measured, bytesPerSession: [server.bytesPerSession!, served] };
  } finally {
    await end(server);
  }
}

/** @param program a bundle, which starts faster than the source */
export async function measureBare(program: string, row: Row, sample: Sample, timing: Timing): Promise<Figures> {
  const file = join(mkdtempSync(join(tmpdir(), 'midroll-bench-')), 'sample.json');
  writeFileSync(file, JSON.stringify(sample));
  const server = await start(program, file);
  try {
    const { next } = createTraffic(row.shape, false);
    const { format } = row.shape;
    const fault = (_: string, answer: Answer) => manifestFault(format, row.isGzip === true, undefined, answer);
    return expectNoFault(await measureUnder(server, { next, headers: row.headers ?? '', fault }, timing));
  } finally {
    await end(server);
  }
}
