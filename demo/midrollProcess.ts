// Midroll itself, started as any user starts it: a process of its own with environment variables.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type MidrollOptions = {
  readonly adminPort: number;
  readonly livePort: number;
  readonly dataDir: string;
  readonly apiKey: string;
};
export type MidrollProcess = {
  readonly adminUrl: string;
  readonly liveUrl: string;
  readonly logFile: string;
  readonly ready: Promise<void>;
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

/** Until it serves or has ended. */
async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (isRunning(child)) {
    const answer = await fetch(`${url}/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
}

export function startMidrollProcess({ adminPort, livePort, dataDir, apiKey }: MidrollOptions): MidrollProcess {
  const logFile = join(dataDir, 'midroll.log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
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
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  return {
    adminUrl,
    liveUrl: `http://127.0.0.1:${livePort}`,
    logFile,
    ready: untilReady(adminUrl, child),
    died: once(child, 'exit').then(([code, signal]) =>
      isWanted ? `It ended with ${signal ?? code}.\n${lastLines(logFile)}` : new Promise<string>(() => {}),
    ),
    close: () => {
      isWanted = false;
      return end(child);
    },
  };
}
