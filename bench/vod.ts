// SPDX-License-Identifier: Apache-2.0
// `npm run bench:vod`: the cost of the manifests of a two-hour film with twelve breaks, as ratios to a bare server that sends
// the same bytes. The manifests of 100 viewers stay in memory, those of 1,000 are written each time. The servers are measured
// in turn, so that other work on the machine affects them alike.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Measured, measure, SECONDS, type Server, start } from './harness/measure.ts';
import { fetchSample } from './harness/sample.ts';
import type { VodShape } from './vodServer.ts';

const ROUNDS = 3;
const base: VodShape = { format: 'hls', viewers: 1000, creatives: 200 };
const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

async function bareFor(name: string, server: Server): Promise<Server & { bytes: number }> {
  const sample = await fetchSample(`http://127.0.0.1:${server.port}${server.paths![0]}`);
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(sample));
  return { ...(await start('harness/bareServer.ts', file)), bytes: Buffer.from(sample.body, 'base64').length };
}

async function row(name: string, shape: VodShape): Promise<void> {
  const server = await start('vodServer.ts', JSON.stringify(shape));
  const bare = await bareFor(`${shape.format}-${shape.viewers}`, server);
  const rounds: (readonly [Measured, Measured])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push([await measure(bare), await measure(server)] as const);
  for (const { process: child } of [server, bare]) child.kill();
  const of = (value: (bare: Measured, own: Measured) => number) => median(rounds.map(([one, own]) => value(one, own)));
  console.log(
    [
      name.padEnd(44),
      String(bare.bytes).padStart(9),
      of((one) => one.microsPerRequest)
        .toFixed(1)
        .padStart(9),
      of((_, own) => own.microsPerRequest)
        .toFixed(1)
        .padStart(9),
      of((one, own) => own.microsPerRequest / one.microsPerRequest)
        .toFixed(2)
        .padStart(8),
      of((one, own) => one.perSecond / own.perSecond)
        .toFixed(2)
        .padStart(8),
      loadavg()[0]!.toFixed(1).padStart(8),
    ].join(''),
  );
}

console.log(`Medians of ${ROUNDS} rounds of ${SECONDS} s; ratios to a bare server that sends the same bytes.\n`);
console.log(
  ['', 'bytes', 'bare µs', 'µs', 'CPU', 'rate', 'load']
    .map((text, index) => (index === 0 ? text.padEnd(44) : text.padStart(index < 4 ? 9 : 8)))
    .join(''),
);
const dash: VodShape = { ...base, format: 'dash' };
await row('media playlist, 100 viewers in turn', { ...base, viewers: 100 });
await row('media playlist, 1,000 viewers in turn', base);
await row('MPD, 100 viewers in turn', { ...dash, viewers: 100 });
await row('MPD, 1,000 viewers in turn', dash);
