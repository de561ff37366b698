// SPDX-License-Identifier: Apache-2.0
// Starts the servers of a benchmark, each as a process on the first core, and measures them under load from another one.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Load, type LoadResult, runLoad } from './load.ts';

const here = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));
const CONNECTIONS = 64;
/** Code is compiled after so many calls, whatever else the machine does, and each of ten thousand viewers has polled once. */
const LEAST_REQUESTS = 12_000;

/** As `npm start` starts Midroll; the bare server too. */
const asStarted = ['--max-semi-space-size=64', '--expose-gc'];

type Hello = { port: number; bytesPerSession?: number };
export type Server = Hello & { process: ChildProcess };

/** @param file of TypeScript below bench/, or the path of a bundle */
export function start(file: string, argument: string): Promise<Server> {
  const path = file.startsWith('/') ? file : here(file);
  const loader = path.endsWith('.js') ? [] : ['--import', 'tsx'];
  const child = spawn('taskset', ['-c', '0', process.execPath, ...asStarted, ...loader, path, argument], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (hello: Hello) => resolve({ ...hello, process: child }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.once('error', reject);
  });
}

const answerOf = <Answer>({ process: child }: Server, what: 'cpu' | 'memory'): Promise<Answer> =>
  new Promise((resolve) => {
    child.once('message', (answer: Answer) => resolve(answer));
    child.send(what);
  });

/** Processor time of the server's threads, in microseconds. */
async function cpuOf(server: Server): Promise<number> {
  const { cpu } = await answerOf<{ cpu: NodeJS.CpuUsage }>(server, 'cpu');
  return cpu.user + cpu.system;
}

/** Bytes that the server uses for its viewers. */
export const memoryOf = async (server: Server): Promise<number> =>
  (await answerOf<{ bytes: number }>(server, 'memory')).bytes;

export type Measured = LoadResult & { readonly microsPerRequest: number };

/** `least`: the least requests of the warm-up, and of the measurement. */
export type Timing = { readonly warmUp: number; readonly seconds: number; readonly least?: number };

/** The server's own cost of a request, after a warm-up. */
export async function measureUnder(
  server: Server,
  load: Pick<Load, 'next' | 'headers' | 'fault'>,
  { warmUp, seconds, least = LEAST_REQUESTS }: Timing,
): Promise<Measured> {
  const common = { ...load, port: server.port, connections: CONNECTIONS };
  const warm = await runLoad({ ...common, seconds: warmUp, least });
  const before = await cpuOf(server);
  const result = await runLoad({ ...common, seconds, least });
  const used = (await cpuOf(server)) - before;
  const fault = warm.fault ?? result.fault;
  return { ...result, ...(fault !== undefined && { fault }), microsPerRequest: used / result.requests };
}
