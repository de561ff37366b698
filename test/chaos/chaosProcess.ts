// SPDX-License-Identifier: Apache-2.0
// The processes of Midroll in the chaos test: serving nodes, each with a folder and a clock of its own, and creative workers.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MidrollProcess, startMidroll } from '../live/midroll.ts';
import { endProcess } from '../servers/endProcess.ts';
import { type BusyTime, readDelays } from './machineDelays.ts';

const root = join(import.meta.dirname, '../..');

export type ChaosProcess = {
  readonly name: string;
  state(): 'running' | 'suspended' | 'ended';
  kill(): Promise<void>;
  /** Ends it with SIGTERM, as for an upgrade. */
  end(): Promise<void>;
  /** @param skew milliseconds that its clock is ahead */
  restart(skew: number): Promise<void>;
  suspend(): void;
  resume(): void;
  /** Milliseconds that its clock is ahead. */
  skew(): number;
  /** When its event loop was late, except while it was suspended. */
  delays(): readonly BusyTime[];
  /** Lines of the log of level error and above; failures of a store are warnings. */
  bugs(): string[];
  /** Ends it with SIGTERM, and removes its files. */
  close(): Promise<void>;
};
export type ChaosNode = ChaosProcess & { readonly midroll: MidrollProcess };

export type ProcessSetup = {
  readonly name: string;
  readonly folder: string;
  /** The folder of conditioned media that all processes share. */
  readonly media: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly skew: number;
};

function prepare({ name, folder, media, settings, skew }: ProcessSetup) {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  symlinkSync(media, join(own, 'media'));
  const offsetFile = join(own, 'clock-offset');
  const lagFile = join(own, 'delays');
  const suspensions: { from: number; to: number }[] = [];
  let current = skew;
  const setSkew = (milliseconds: number): void => {
    current = milliseconds;
    writeFileSync(offsetFile, String(milliseconds));
  };
  setSkew(skew);
  writeFileSync(lagFile, '');
  const preload = pathToFileURL(join(import.meta.dirname, 'disturbedClock.mjs')).href;
  return {
    setSkew,
    skew: () => current,
    env: {
      ...settings,
      DATA_DIR: own,
      CLOCK_OFFSET_FILE: offsetFile,
      LAG_FILE: lagFile,
      NODE_OPTIONS: `--import=${preload}`,
    },
    own,
    suspended: () => void suspensions.push({ from: Date.now(), to: Number.POSITIVE_INFINITY }),
    resumed: () => {
      const last = suspensions.at(-1);
      // What waited meanwhile is done after it.
      if (last !== undefined && last.to === Number.POSITIVE_INFINITY) last.to = Date.now() + 500;
    },
    delays: () =>
      readDelays(lagFile).filter(({ from, to }) => !suspensions.some((each) => from < each.to && to > each.from)),
  };
}

export async function startNode(setup: ProcessSetup): Promise<ChaosNode> {
  const prepared = prepare(setup);
  const midroll = await startMidroll({ ...prepared.env, ROLE: 'serve' });
  let state: ReturnType<ChaosNode['state']> = 'running';
  return {
    name: setup.name,
    midroll,
    state: () => state,
    skew: prepared.skew,
    delays: prepared.delays,
    bugs: () => midroll.bugs().filter((line) => !line.includes('"level":40')),
    async kill() {
      await midroll.kill();
      prepared.resumed();
      state = 'ended';
    },
    async end() {
      midroll.signal('SIGTERM');
      await midroll.exited();
      state = 'ended';
    },
    async restart(skew) {
      prepared.setSkew(skew);
      await midroll.restart();
      state = 'running';
    },
    suspend() {
      prepared.suspended();
      midroll.suspend();
      state = 'suspended';
    },
    resume() {
      midroll.resume();
      prepared.resumed();
      state = 'running';
    },
    close: midroll.close,
  };
}

export async function startWorker(setup: ProcessSetup): Promise<ChaosProcess> {
  const prepared = prepare(setup);
  const logFile = join(prepared.own, 'worker.log');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'info', ...prepared.env, ROLE: 'worker' };

  function start(): ChildProcess {
    const log = openSync(logFile, 'a');
    const stdio = ['ignore', log, log] as const;
    const child = spawn(process.execPath, ['dist/main.js'], { cwd: root, detached: true, stdio: [...stdio], env });
    closeSync(log);
    return child;
  }
  let child = start();
  process.once('exit', () => child.kill('SIGKILL'));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  /** The encoders of the worker are in its process group. */
  const signal = (name: NodeJS.Signals): void => {
    if (!hasEnded()) process.kill(-child.pid!, name);
  };
  async function end(name: NodeJS.Signals): Promise<void> {
    if (hasEnded()) return;
    await endProcess(child, name, true);
    prepared.resumed();
  }
  let isSuspended = false;
  return {
    name: setup.name,
    state: () => (hasEnded() ? 'ended' : isSuspended ? 'suspended' : 'running'),
    skew: prepared.skew,
    delays: prepared.delays,
    bugs: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line)),
    async kill() {
      await end('SIGKILL');
      isSuspended = false;
    },
    end: () => end('SIGTERM'),
    async restart(skew) {
      prepared.setSkew(skew);
      child = start();
    },
    suspend() {
      prepared.suspended();
      signal('SIGSTOP');
      isSuspended = true;
    },
    resume() {
      signal('SIGCONT');
      prepared.resumed();
      isSuspended = false;
    },
    close: () => end('SIGTERM'),
  };
}
