// SPDX-License-Identifier: Apache-2.0
// Midroll as a separate process that tests can kill and restart.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess } from '../servers/endProcess.ts';

const root = join(import.meta.dirname, '../..');
export const apiKey = 'test-key';
const START_TIMEOUT = 300_000;

/** Of each Midroll that a test starts, in a process of its own or not. */
export const testSettings = {
  ...{ ADMIN_PORT: '0', LIVE_PORT: '0', BOOTSTRAP_API_KEY: apiKey },
  ...{ EGRESS_ALLOW: '127.0.0.0/8', ADMIN_RATE_LIMIT: '0', LOG_LEVEL: 'info' },
};

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
export type ApiResponse = { readonly status: number; readonly json: any };

export type Midroll = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  /** Sends a request below /api/v2 with the API key. */
  api(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Creates a record. @throws when the status is not 201 */
  create(collection: 'playlists' | 'channels' | 'ad-sources', record: object): Promise<void>;
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<void>;
  /** Starts it again with the same data and ports. */
  restart(): Promise<void>;
  /** Log lines of level error and above. */
  bugs(): string[];
  /** The log records with a message, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  logged(message: string): any[];
  /** The log records of level warning and above between two times. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  lines(from: number, to: number): any[];
  close(): Promise<void>;
};

/** Midroll as a process of its own. */
export type MidrollProcess = Midroll & {
  /** Stops the process with SIGSTOP: its connections stay open. */
  suspend(): void;
  /** Continues it after `suspend`. */
  resume(): void;
  pid(): number;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Waits for the process to exit. @returns its status, or the signal that ended it */
  exited(): Promise<number | string>;
};

type Running = { readonly child: ChildProcess; readonly adminUrl: string; readonly liveUrl: string };

/** A client of the administrative API at a URL. */
export function adminClient(adminUrl: string): Pick<Midroll, 'api' | 'create'> {
  async function api(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await fetch(`${adminUrl}/api/v2${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    api,
    async create(collection, record) {
      const { status, json } = await api('POST', `/${collection}`, record);
      if (status !== 201) throw new Error(`creating ${collection} returned ${status}: ${JSON.stringify(json)}`);
    },
  };
}

/** Reads a log. */
export const logReader = (readLog: () => string): Pick<Midroll, 'bugs' | 'logged' | 'lines'> => ({
  bugs: () =>
    readLog()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line) || /Error: /.test(line)),
  logged: (message) =>
    readLog()
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes(JSON.stringify(message)))
      .map((line) => JSON.parse(line)),
  lines: (from, to) =>
    readLog()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
      .filter(({ level, time }) => level >= 40 && time >= from && time <= to),
});

/** @param program below the root */
export async function startMidroll(
  settings: Readonly<Record<string, string>> = {},
  program = 'dist/main.js',
): Promise<MidrollProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-live-'));
  const logFile = join(dataDir, 'midroll.log');
  const readLog = (): string => readFileSync(logFile, 'utf8');

  async function start(ports: Readonly<Record<string, string>>): Promise<Running> {
    const log = openSync(logFile, 'a');
    const before = readLog().length;
    const child = spawn(process.execPath, [program], {
      cwd: root,
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        ...testSettings,
        DRAIN_SECONDS: '0',
        ...ports,
        ...settings,
      },
    });
    closeSync(log);
    const deadline = Date.now() + START_TIMEOUT;
    while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      const listening = /listening: administration (\S+), live (\S+)/.exec(readLog().slice(before));
      if (listening !== null) return { child, adminUrl: listening[1]!, liveUrl: listening[2]! };
      await sleep(50);
    }
    throw new Error(`Midroll did not start:\n${readLog().slice(before)}`);
  }

  let running = await start({});
  const { adminUrl, liveUrl } = running;
  const ports = { ADMIN_PORT: new URL(adminUrl).port, LIVE_PORT: new URL(liveUrl).port };

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    await endProcess(child, signal);
    try {
      process.kill(-child.pid!, 'SIGKILL'); // its encoders
    } catch {
      // No encoder is running.
    }
  }
  const endWithTests = () => void running.child.kill('SIGKILL');
  process.once('exit', endWithTests);

  return {
    adminUrl,
    liveUrl,
    ...adminClient(adminUrl),
    ...logReader(readLog),
    kill: () => end('SIGKILL'),
    suspend: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    pid: () => running.child.pid!,
    signal: (name) => void running.child.kill(name),
    async exited() {
      const { child } = running;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode ?? child.signalCode!;
    },
    async restart() {
      running = await start(ports);
    },
    async close() {
      await end('SIGTERM');
      process.off('exit', endWithTests);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
