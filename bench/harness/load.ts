// SPDX-License-Identifier: Apache-2.0
// HTTP load over keep-alive connections, each sending its next request after the previous response. It reads no more of a
// response than is needed to check it, so that it costs less than any server.
import { connect, type Socket } from 'node:net';
import { percentile } from '../pollers.ts';

/** The begin and the end of a body: the same buffer, with all of it, if it came in one piece. */
export type Answer = { readonly head: string; readonly first: Buffer; readonly last: Buffer; readonly bytes: number };

export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Goes on until this many requests were answered, for five times as long at most. */
  readonly least?: number;
  readonly next: () => string;
  /** Lines of the head of each request, each with its end. */
  readonly headers?: string;
  /** What is wrong with an answer; undefined if nothing is. Buffers are valid only during the call. */
  readonly fault?: (path: string, answer: Answer) => string | undefined;
};

export type LoadResult = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** What was wrong with the first wrong answer. */
  readonly fault?: string;
  readonly bytesPerAnswer: number;
  /** The share of the time in which the load itself was computing. */
  readonly busy: number;
};

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;
const BUFFER_BYTES = 256 * 1024;
/** What is kept of the begin of a body that comes in several pieces. */
const BEGIN_BYTES = 32 * 1024;

const usual = (_: string, { head }: Answer): string | undefined =>
  head.startsWith('HTTP/1.1 200') ? undefined : head.slice(0, 200);

export async function runLoad({ port, connections, seconds, next, least = 0, headers = '', fault = usual }: Load) {
  let times = new Float64Array(1 << 16);
  let count = 0;
  let wrong: string | undefined;
  let bytes = 0;
  const end = performance.now() + seconds * 1000;
  const latestEnd = end + 4 * seconds * 1000;
  const tail = ` HTTP/1.1\r\nhost: bench\r\n${headers}\r\n`;

  function answered(startedAt: number, path: string, answer: Answer): void {
    if (count === times.length) {
      const more = new Float64Array(2 * count);
      more.set(times);
      times = more;
    }
    times[count] = performance.now() - startedAt;
    count += 1;
    bytes += answer.bytes;
    const found = fault(path, answer);
    if (found !== undefined) wrong ??= `GET ${path}: ${found}`;
  }

  function run(): Promise<void> {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    return new Promise((resolve, reject) => {
      let path = '';
      let startedAt = 0;
      let pending: Buffer | undefined;
      let started: { head: string; first: Buffer; bytes: number } | undefined;
      let missing = 0;
      const send = () => {
        path = next();
        startedAt = performance.now();
        socket.write(`GET ${path}${tail}`, 'latin1');
      };
      const finish = (answer: Answer) => {
        answered(startedAt, path, answer);
        if (startedAt < (count < least ? latestEnd : end) && wrong === undefined) return send();
        socket.destroy();
        resolve();
      };
      const receive = (chunk: Buffer) => {
        if (started !== undefined) {
          missing -= chunk.length;
          if (missing > 0) return;
          const { head, first, bytes } = started;
          started = undefined;
          return finish({ head, first, last: chunk, bytes });
        }
        const received = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
        const at = received.indexOf(HEAD_END, 0, 'latin1');
        if (at < 0) {
          pending = Buffer.from(received);
          return;
        }
        pending = undefined;
        const head = received.toString('latin1', 0, at);
        const length = Number(LENGTH.exec(head)?.[1] ?? 0);
        const first = received.subarray(at + HEAD_END.length);
        missing = length - first.length;
        if (missing < 0) wrong ??= `GET ${path}: ${-missing} bytes more than its content-length`;
        const answer = { head, first, last: first, bytes: received.length + Math.max(0, missing) };
        if (missing <= 0) return finish(answer);
        started = { head, first: Buffer.from(first.subarray(0, BEGIN_BYTES)), bytes: answer.bytes };
      };
      const callback = (size: number): boolean => {
        receive(buffer.subarray(0, size));
        return true;
      };
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } }, send);
      socket.once('error', reject);
      socket.once('end', () => reject(new Error(`The server closed a connection after GET ${path}.`)));
    });
  }

  const begun = performance.now();
  const used = process.cpuUsage();
  await Promise.all(Array.from({ length: connections }, run));
  const took = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(used);
  const sorted = times.subarray(0, count).sort();
  const result: LoadResult = {
    ...{ requests: count, perSecond: count / took, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) },
    ...{ bytesPerAnswer: bytes / Math.max(1, count), busy: (user + system) / 1e6 / took },
    ...(wrong !== undefined && { fault: wrong }),
  };
  return result;
}
