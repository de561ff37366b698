// SPDX-License-Identifier: Apache-2.0
// Thousands of players reduced to their polling: each requests its playlist every two seconds, or all of them as often as they are
// answered, over a few keep-alive connections. Measures the age of the newest segment.
import { connect, type Socket } from 'node:net';

export type Answered = { readonly status: number; readonly body: string; readonly ms: number };

export type Connections = {
  readonly count: number;
  /** Queues for a connection. `ms` counts from now. */
  get(path: string): Promise<Answered>;
  close(): void;
};

type Waiting = { readonly path: string; readonly since: number; readonly done: (answered: Answered) => void };
const HEAD_END = Buffer.from('\r\n\r\n');

async function openConnection(
  liveUrl: string,
  next: () => Waiting | undefined,
): Promise<{ wake(): void; end(): void }> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const { hostname, port } = new URL(liveUrl);
    const opening = connect(Number(port), hostname, () => resolve(opening));
    opening.setNoDelay(true);
    opening.once('error', reject);
  });
  let pieces: Buffer[] = [];
  let waiting: Waiting | undefined;
  const wake = () => {
    if (waiting !== undefined || socket.destroyed) return;
    waiting = next();
    if (waiting !== undefined) socket.write(`GET ${waiting.path} HTTP/1.1\r\nhost: bench\r\n\r\n`);
  };
  socket.on('data', (chunk: Buffer) => {
    // The server closes a connection that was never used, with status 408.
    if (waiting === undefined) return;
    pieces.push(chunk);
    const bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces);
    const at = bytes.indexOf(HEAD_END);
    if (at < 0) return;
    const head = bytes.toString('latin1', 0, at);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < at + 4 + length) {
      pieces = [bytes];
      return;
    }
    pieces = [];
    const { since, done } = waiting;
    waiting = undefined;
    done({ status: Number(head.slice(9, 12)), body: bytes.toString('latin1', at + 4), ms: performance.now() - since });
    wake();
  });
  // The server has closed it, or has ended.
  socket.on('close', () => waiting?.done({ status: 0, body: '', ms: performance.now() - waiting.since }));
  socket.on('error', () => {});
  return { wake, end: () => socket.destroy() };
}

export async function openConnections(liveUrl: string, count: number): Promise<Connections> {
  const line: Waiting[] = [];
  let [head, last] = [0, 0];
  const next = (): Waiting | undefined => {
    if (head === line.length) return undefined;
    const first = line[head]!;
    head += 1;
    if (head > 10_000) {
      line.splice(0, head);
      head = 0;
    }
    return first;
  };
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(liveUrl, next)));
  return {
    count,
    get: (path) =>
      new Promise((done) => {
        line.push({ path, since: performance.now(), done });
        // In turn: the server closes a connection that is not used.
        for (let tried = 0; tried < count && head < line.length; tried += 1) {
          last = (last + 1) % count;
          connections[last]!.wake();
        }
      }),
    close: () => {
      for (const { end } of connections) end();
    },
  };
}

/** Opens a session of the channel `bench`. @returns the path of a media playlist; undefined if it was not opened */
export async function openSession({ get }: Connections): Promise<string | undefined> {
  const { body } = await get('/hls/bench/master.m3u8?api-key=key');
  const media = /^([^#\s]+\.m3u8)$/m.exec(body)?.[1];
  return media === undefined ? undefined : `/hls/bench/${media}`;
}

/** @returns the paths of media playlists of new sessions */
export async function openAll(connections: Connections, count: number): Promise<string[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => openSession(connections)));
  const paths = opened.flatMap((path) => path ?? []);
  if (paths.length < count) throw new Error(`Of ${count} sessions, ${count - paths.length} were not opened.`);
  return paths;
}

/** Milliseconds since the newest segment of a media playlist ended. */
export function ageOfEdge(playlist: string, now: number): number {
  const at = playlist.lastIndexOf('#EXT-X-PROGRAM-DATE-TIME:');
  const date = playlist.slice(at + 25, playlist.indexOf('\n', at));
  const after = playlist.lastIndexOf('#EXTINF:');
  const seconds = Number.parseFloat(playlist.slice(after + 8));
  return now - (Date.parse(date) + seconds * 1000);
}

/** @param latencies sorted */
export const percentile = (latencies: Float64Array, share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;

/** @param latencies sorted */
export const latencyText = (latencies: Float64Array): string => {
  const at = (share: number) => percentile(latencies, share).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
};

export type PollFigures = {
  readonly polls: number;
  readonly failed: number;
  /** The latency of each poll from its due time, in milliseconds, sorted. */
  readonly latencies: Float64Array;
  /** Responses whose newest segment ended more than `mostAge` ago. */
  readonly late: number;
  readonly oldest: number;
};

export type Polling = {
  /** Milliseconds between two polls of a path. 0: each connection polls the next path when it has an answer. */
  readonly every: number;
  readonly until: number;
  readonly mostAge: number;
  readonly onPlaylist?: (path: string, playlist: string) => void;
};

/** Polls each path, spread evenly, until `until`. */
export async function pollUntil(
  { count, get }: Connections,
  paths: readonly string[],
  { every, until, mostAge, onPlaylist }: Polling,
): Promise<PollFigures> {
  const latencies: number[] = [];
  let [sent, failed, late, oldest, underWay] = [0, 0, 0, 0, 0];
  const start = performance.now();
  const dueBy = (ms: number): number =>
    every === 0 ? sent + count - underWay : Math.floor((ms / every) * paths.length);
  const finished = new Promise<void>((resolve) => {
    const sendDue = () => {
      const isOver = Date.now() >= until;
      const due = isOver ? 0 : dueBy(performance.now() - start);
      for (; sent < due; sent += 1) {
        const path = paths[sent % paths.length]!;
        const lag = every === 0 ? 0 : performance.now() - start - (sent / paths.length) * every;
        underWay += 1;
        void get(path).then(({ status, body, ms }) => {
          underWay -= 1;
          latencies.push(ms + lag);
          if (status !== 200) failed += 1;
          else {
            const age = ageOfEdge(body, Date.now());
            oldest = Math.max(oldest, age);
            if (age > mostAge) late += 1;
            onPlaylist?.(path, body);
          }
          if (every === 0) sendDue();
        });
      }
      if (isOver && underWay === 0) {
        clearInterval(timer);
        resolve();
      }
    };
    const timer = setInterval(sendDue, 1);
  });
  await finished;
  return {
    polls: latencies.length,
    failed,
    latencies: Float64Array.from(latencies).sort(),
    late,
    oldest,
  };
}
