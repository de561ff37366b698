// SPDX-License-Identifier: Apache-2.0
// `npm run bench`: the cost of a personalised media playlist, as ratios within one run. The server uses one core, the load
// the other.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadResult } from './load.ts';
import { CONNECTIONS, type Measured, measure, SECONDS, start } from './measure.ts';
import type { BenchShape } from './midrollServer.ts';

async function midroll(shape: BenchShape): Promise<Measured & { bytesPerSession: number }> {
  const server = await start('midrollServer.ts', JSON.stringify(shape));
  const result = await measure(server);
  server.process.kill();
  return { ...result, bytesPerSession: server.bytesPerSession ?? 0 };
}

async function sample(shape: BenchShape): Promise<string> {
  const server = await start('midrollServer.ts', JSON.stringify({ ...shape, sessions: 1 }));
  const text = await (await fetch(`http://127.0.0.1:${server.port}${server.paths![0]}`)).text();
  server.process.kill();
  return text;
}

const base: BenchShape = { channels: 1, items: 10, uptimeSeconds: 86_400, sessions: 10_000 };
const say = (columns: (string | number)[]) =>
  console.log(
    columns.map((column, index) => (index === 0 ? String(column).padEnd(58) : String(column).padStart(14))).join(''),
  );
const perSecond = (result: LoadResult) => Math.round(result.perSecond);

const text = await sample(base);
const file = join(mkdtempSync(join(tmpdir(), 'midroll-bench-')), 'playlist.m3u8');
writeFileSync(file, text);
console.log(
  `A personalised media playlist of ${Buffer.byteLength(text)} bytes, ${CONNECTIONS} connections, ${SECONDS} s each.\n`,
);
say(['', 'per second', 'ratio', 'CPU µs each', 'ratio', 'p50 ms', 'p99 ms']);
const bareServer = await start('bareServer.ts', file);
const bare = await measure(bareServer);
bareServer.process.kill();
const row = (name: string, result: Measured, to: Measured) => {
  if (result.failed > 0) throw new Error(`${name}: ${result.failed} responses were not 200`);
  const ratio = (result.perSecond / to.perSecond).toFixed(2);
  const cpu = result.microsPerRequest.toFixed(1);
  const cpuRatio = (to.microsPerRequest / result.microsPerRequest).toFixed(2);
  say([name, perSecond(result), ratio, cpu, cpuRatio, result.p50.toFixed(2), result.p99.toFixed(2)]);
};
row('bare node:http, the same bytes', bare, bare);
const usual = await midroll(base);
row('Midroll, 10,000 sessions with a live decision', usual, bare);
row('the same, not counted for reports', await midroll({ ...base, isCounted: false }), bare);
console.log(`\nGrowth: ratio to the row before it.`);
row('1 channel, 10 items, a day on air', usual, usual);
row('200 channels', await midroll({ ...base, channels: 200 }), usual);
const young = await midroll({ ...base, items: 1, uptimeSeconds: 1900 });
row('10 minutes on air (1 item)', young, usual);
row('30 days on air (1 item)', await midroll({ ...base, items: 1, uptimeSeconds: 30 * 86_400 }), young);
row('1,000 items', await midroll({ ...base, items: 1000 }), usual);
console.log(`\nTracking: nine manifests, then a segment of the current ad; ratio to the row before it.`);
const receiver = createServer((_, response) => response.writeHead(204, { 'content-length': '0' }).end());
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const played = { ...base, manifestsPerSegment: 9 };
const untracked = await midroll(played);
row('segments are redirected, nothing is tracked', untracked, untracked);
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
row('deliveries recorded, 12 beacons per ad sent', await midroll({ ...played, receiver: receiverUrl }), untracked);
receiver.close();
receiver.closeAllConnections();
console.log(`\nMemory of a session with a live decision: ${Math.round(usual.bytesPerSession)} bytes.`);
