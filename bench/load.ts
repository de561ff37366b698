// SPDX-License-Identifier: Apache-2.0
// HTTP load over keep-alive connections, each sending its next request after the previous response. It parses no more of a
// response than its end, so that it costs less than any server.
import { connect, type Socket } from 'node:net';

export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The path of the n-th request. */
  readonly path: (n: number) => string;
};

export type LoadResult = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 200 or, for segments of ads, 302. */
  readonly failed: number;
  readonly bytesPerAnswer: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export async function runLoad({ port, connections, seconds, path }: Load): Promise<LoadResult> {
  const times: number[] = [];
  let failed = 0;
  let bytes = 0;
  let sent = 0;
  const end = performance.now() + seconds * 1000;

  const run = (socket: Socket) =>
    new Promise<void>((resolve, reject) => {
      let pending: Buffer = Buffer.alloc(0);
      let missing = -1;
      let startedAt = 0;
      const send = () => {
        startedAt = performance.now();
        socket.write(`GET ${path(sent++)} HTTP/1.1\r\nhost: bench\r\n\r\n`);
      };
      const answered = () => {
        const now = performance.now();
        times.push(now - startedAt);
        missing = -1;
        pending = Buffer.alloc(0);
        if (now >= end) {
          socket.destroy();
          resolve();
        } else send();
      };
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (missing > 0) {
          missing -= chunk.length;
          if (missing <= 0) answered();
          return;
        }
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const at = pending.indexOf(HEAD_END);
        if (at < 0) return;
        const head = pending.toString('latin1', 0, at);
        if (!/^HTTP\/1\.1 (200|302)/.test(head)) failed += 1;
        missing = Number(LENGTH.exec(head)?.[1] ?? 0) - (pending.length - at - 4);
        if (missing <= 0) answered();
      });
      socket.on('error', reject);
      send();
    });

  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket));
          socket.setNoDelay(true);
          socket.once('error', reject);
        }),
    ),
  );
  const begun = performance.now();
  await Promise.all(sockets.map(run));
  const took = (performance.now() - begun) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: times.length / took,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    failed,
    bytesPerAnswer: bytes / Math.max(1, times.length),
  };
}
