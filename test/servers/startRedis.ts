// SPDX-License-Identifier: Apache-2.0
// Starts a Redis server for tests: the installed programs, a temporary folder, a free port, nothing stored on disk. A server
// that is killed and restarted is therefore empty.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../../demo/listen.ts';
import { endProcess } from './endProcess.ts';
import { redisProgram } from './programs.ts';

export type RedisServer = {
  readonly port: number;
  /** Without a password, also if the options set one. */
  readonly url: string;
  /** Sends a command with redis-cli. @returns what it prints @throws if there is no response within two seconds */
  command(...args: string[]): Promise<string>;
  /** Ends it with SIGKILL, to simulate a crash. Works on a suspended server, too. */
  kill(): Promise<void>;
  /** After `kill`: the same port and folder, without data. */
  restart(): Promise<void>;
  /** Stops the process with SIGSTOP: its connections stay open, and new ones are accepted but not served. */
  suspend(): void;
  /** Continues it after `suspend`. */
  resume(): void;
  state(): 'running' | 'suspended' | 'ended';
  stop(): Promise<void>;
};

const RESPONSE_TIMEOUT = 2000;
const execute = promisify(execFile);

/** @param options additional arguments of the server, e.g. `['--requirepass', 'secret']` */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-redis-'));
  const logFile = join(folder, 'redis.log');
  let port = await findFreePort(0);
  let isSuspended = false;

  async function command(...args: string[]): Promise<string> {
    const address = ['-h', '127.0.0.1', '-p', String(port)];
    const limits = { timeout: RESPONSE_TIMEOUT, killSignal: 'SIGKILL' as const };
    const { stdout } = await execute(redisProgram('cli'), [...address, ...args], limits);
    return stdout.trim();
  }

  async function run() {
    const settings = { port, bind: '127.0.0.1', dir: folder, logfile: logFile, appendonly: 'no', save: '' };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(redisProgram('server'), [...args, ...options], { cwd: folder, stdio: 'ignore' });
    for (let tries = 0; child.exitCode === null && tries < 3000; tries += 1) {
      // With a password, the response is NOAUTH.
      if (/PONG|NOAUTH/.test(await command('ping').catch(() => ''))) return child;
      await wait(50);
    }
    child.kill('SIGKILL');
    throw new Error(`Redis did not start:\n${existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''}`);
  }

  let server = await run().catch(async () => {
    // Another program has taken the port.
    port = await findFreePort(0);
    return run();
  });
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
  async function kill(): Promise<void> {
    await endProcess(server, 'SIGKILL');
    isSuspended = false;
  }
  process.once('exit', () => server.kill('SIGKILL'));

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    command,
    kill,
    async restart() {
      server = await run();
    },
    suspend() {
      isSuspended = server.kill('SIGSTOP');
    },
    resume() {
      server.kill('SIGCONT');
      isSuspended = false;
    },
    state() {
      if (hasEnded()) return 'ended';
      return isSuspended ? 'suspended' : 'running';
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
