// SPDX-License-Identifier: Apache-2.0
// Starts Midroll as a process with environment variables, as users do.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../src/settings/environment.ts';
import { startGuard } from './guard.ts';

export type MidrollOptions = {
  /** 0, the default, selects any free port; `livePort` likewise. */
  readonly adminPort?: number;
  readonly livePort?: number;
  readonly dataDir: string;
  /** Whether `dataDir` is deleted if this process is killed. */
  readonly isTemporary?: boolean;
  readonly apiKey: string;
};
export type MidrollProcess = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  readonly logFile: string;
  /** Resolves with the last lines of the log when the process ends by itself. */
  readonly died: Promise<string>;
  close(): Promise<void>;
};

/** Relative to this file and to the program in dist/. */
export const server = join(import.meta.dirname, '../dist/main.js');
const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-20).join('\n');
const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Kills the process and its children. They are a process group of their own, which Ctrl-C in the terminal does not reach. */
function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // The group has no processes left.
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (isRunning(child)) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(8000, undefined, { ref: false })]);
  }
  killGroup(child);
}

/** The URLs it listens on, read from its log. @throws with the last lines of the log when the process ends */
async function untilListening(logFile: string, child: ChildProcess): Promise<[adminUrl: string, liveUrl: string]> {
  while (isRunning(child)) {
    const match = /listening: administration (\S+), live (\S+)/.exec(readFileSync(logFile, 'utf8'));
    if (match !== null) return [match[1]!, match[2]!];
    await sleep(50);
  }
  throw new Error(`Midroll did not start.\n${lastLines(logFile)}`);
}

/** Settings of another installation must not apply: the demo would write to its database. */
const withoutSettings = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !(name in environment.properties) || kept.has(name)));
/** Settings that describe the machine. */
const kept = new Set(['FFMPEG', 'FFPROBE', 'LOG_LEVEL']);

/** @param settings those of this process, in addition to what all processes of the demo have */
export const midrollEnvironment = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...withoutSettings(process.env),
  HOST: '127.0.0.1',
  EGRESS_ALLOW: '127.0.0.0/8',
  DRAIN_SECONDS: '0',
  ...settings,
});

/** Resolves when Midroll listens. It runs the bundle in dist/, which `scripts/setup.mjs` builds. */
export async function startMidrollProcess(options: MidrollOptions): Promise<MidrollProcess> {
  const { adminPort = 0, livePort = 0, dataDir, apiKey } = options;
  const logFile = join(dataDir, 'midroll.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [server], {
    detached: true,
    stdio: ['ignore', log, log],
    env: midrollEnvironment({
      ADMIN_PORT: `${adminPort}`,
      LIVE_PORT: `${livePort}`,
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: apiKey,
    }),
  });
  closeSync(log);
  const guard = startGuard(options.isTemporary ? dataDir : undefined);
  if (child.pid !== undefined) guard.watch(child.pid);
  child.once('exit', () => guard.close());
  process.once('exit', () => killGroup(child));
  let isClosing = false;
  const [adminUrl, liveUrl] = await untilListening(logFile, child);
  return {
    adminUrl,
    liveUrl,
    logFile,
    died: once(child, 'exit').then(([code, signal]) =>
      isClosing ? new Promise<string>(() => {}) : `Exit status: ${signal ?? code}.\n${lastLines(logFile)}`,
    ),
    close: () => {
      isClosing = true;
      return end(child);
    },
  };
}
