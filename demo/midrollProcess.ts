// Midroll itself, started as any user starts it: a process of its own with environment variables.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type MidrollOptions = {
  /** 0, the default, takes any free one; so does `livePort`. */
  readonly adminPort?: number;
  readonly livePort?: number;
  readonly dataDir: string;
  readonly apiKey: string;
};
export type MidrollProcess = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  readonly logFile: string;
  /** Resolves, with what it said last, when the process ends without having been asked to. */
  readonly died: Promise<string>;
  close(): Promise<void>;
};

const root = join(import.meta.dirname, '..');
const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-20).join('\n');
const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** The process and all that it started: a group of their own, which a Ctrl-C in the terminal does not reach. */
function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
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

/** Where it listens, read from its log once it is up. @throws with its last lines when it ends instead */
async function untilListening(logFile: string, child: ChildProcess): Promise<[adminUrl: string, liveUrl: string]> {
  while (isRunning(child)) {
    const said = /listening: administration (\S+), live (\S+)/.exec(readFileSync(logFile, 'utf8'));
    if (said !== null) return [said[1]!, said[2]!];
    await sleep(50);
  }
  throw new Error(`Midroll did not start.\n${lastLines(logFile)}`);
}

/** Resolves when it listens. It runs from the bundle in dist/, which `scripts/setup.mjs` builds. */
export async function startMidrollProcess(options: MidrollOptions): Promise<MidrollProcess> {
  const { adminPort = 0, livePort = 0, dataDir, apiKey } = options;
  const logFile = join(dataDir, 'midroll.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      ADMIN_PORT: `${adminPort}`,
      LIVE_PORT: `${livePort}`,
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: apiKey,
      EGRESS_ALLOW: '127.0.0.0/8',
    },
  });
  closeSync(log);
  process.once('exit', () => killGroup(child));
  let isWanted = true;
  const [adminUrl, liveUrl] = await untilListening(logFile, child);
  return {
    adminUrl,
    liveUrl,
    logFile,
    died: once(child, 'exit').then(([code, signal]) =>
      isWanted ? `It ended with ${signal ?? code}.\n${lastLines(logFile)}` : new Promise<string>(() => {}),
    ),
    close: () => {
      isWanted = false;
      return end(child);
    },
  };
}
