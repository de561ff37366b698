// SPDX-License-Identifier: Apache-2.0
// Starts the servers of a benchmark, each as a process on the first core, and measures them under load from another one.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type LoadResult, runLoad } from './load.ts';

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));
export const CONNECTIONS = 64;
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);

/** As `npm start` starts Midroll; the bare server too. */
const asStarted = ['--max-semi-space-size=64'];

type Hello = { port: number; paths?: string[]; bytesPerSession?: number };
export type Server = Hello & { process: ChildProcess };

export function start(file: string, argument: string): Promise<Server> {
  const child = spawn(
    'taskset',
    ['-c', '0', process.execPath, ...asStarted, '--expose-gc', '--import', 'tsx', here(file), argument],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  return new Promise((resolve, reject) => {
    child.once('message', (hello: Hello) => resolve({ ...hello, process: child }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.once('error', reject);
  });
}

/** Processor time of the server, in microseconds. */
const cpuOf = ({ process: child }: Server): Promise<number> =>
  new Promise((resolve) => {
    child.once('message', ({ cpu }: { cpu: NodeJS.CpuUsage }) => resolve(cpu.user + cpu.system));
    child.send('cpu');
  });

export type Measured = LoadResult & { readonly microsPerRequest: number };

/** The server's own cost of a request, after two seconds of warm-up. */
export async function measure(server: Server): Promise<Measured> {
  const paths = server.paths ?? ['/'];
  const load = { port: server.port, connections: CONNECTIONS, path: (n: number) => paths[n % paths.length]! };
  await runLoad({ ...load, seconds: 2 });
  const before = await cpuOf(server);
  const result = await runLoad({ ...load, seconds: SECONDS });
  const used = (await cpuOf(server)) - before;
  return { ...result, microsPerRequest: used / (result.perSecond * SECONDS) };
}
