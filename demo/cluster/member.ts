// SPDX-License-Identifier: Apache-2.0
// A member of the cluster: a process that can be started, ended, killed and paused any number of times, on the same port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from '../guard.ts';
import type { SystemUser } from './programs.ts';

export type MemberState = 'starting' | 'up' | 'draining' | 'paused' | 'down';
export type MemberKind = 'node' | 'worker' | 'store' | 'proxy';

export type MemberSpec = {
  readonly id: string;
  readonly title: string;
  readonly kind: MemberKind;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly logFile: string;
  readonly user?: SystemUser | undefined;
  /** Ends it at once. Default: SIGKILL. */
  readonly killSignal?: NodeJS.Signals;
  /** Ends it in order. Default: SIGTERM. */
  readonly endSignal?: NodeJS.Signals;
  /** Whether it does its work. */
  readonly isReady: (log: () => string) => Promise<boolean>;
};

export type Member = Pick<MemberSpec, 'id' | 'title' | 'kind'> & {
  state(): MemberState;
  /** When the state was reached. */
  since(): Date;
  /** Resolves when it is ready. @throws with the end of its log when it ends before */
  start(): Promise<void>;
  kill(): void;
  /** Ends it in order; it is `draining` until then. */
  drain(): void;
  pause(): void;
  resume(): void;
  close(): Promise<void>;
};

const READY_INTERVAL_MS = 100;
const CLOSE_TIMEOUT_MS = 8000;

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** A process and its children are a group, which Ctrl-C in the terminal does not reach. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // The group has no processes left.
  }
}

export function createMember(spec: MemberSpec, guard: Guard): Member {
  const { id, title, kind, logFile, killSignal = 'SIGKILL', endSignal = 'SIGTERM' } = spec;
  let child: ChildProcess | undefined;
  let state: MemberState = 'down';
  let since = new Date();
  const current = (): MemberState => state;
  const become = (next: MemberState) => {
    if (state !== next) since = new Date();
    state = next;
  };

  function spawnProcess(): ChildProcess {
    const log = openSync(logFile, 'w');
    const [program, ...args] = spec.command;
    const { uid, gid } = spec.user ?? {};
    const started = spawn(program!, args, {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: spec.cwd,
      env: spec.env,
      ...(uid === undefined ? {} : { uid, gid: gid! }),
    });
    closeSync(log);
    const group = started.pid;
    if (group !== undefined) guard.watch(group);
    started.on('error', () => become('down'));
    started.once('exit', () => {
      // What it has started ends with it, such as an encoder.
      signalGroup(started, 'SIGKILL');
      if (group !== undefined) guard.forget(group);
      if (child === started) become('down');
    });
    return started;
  }

  const log = (): string => readFileSync(logFile, 'utf8');
  const fail = (): never => {
    const lines = log().trim().split('\n').slice(-10).join('\n');
    const isTaken = /EADDRINUSE|address already in use/i.test(lines);
    const advice = isTaken
      ? '\nAnother program has taken its port meanwhile. Start the demo again; it finds free ports.'
      : '';
    throw new Error(`${title} did not start.\n${lines}${advice}`);
  };

  return {
    id,
    title,
    kind,
    state: current,
    since: () => since,
    async start() {
      if (state !== 'down') return;
      become('starting');
      const started = spawnProcess();
      child = started;
      while (!(await spec.isReady(log).catch(() => false))) {
        if (started.pid === undefined || !isRunning(started)) fail();
        await sleep(READY_INTERVAL_MS);
      }
      if (!isRunning(started)) fail();
      if (current() === 'starting') become('up');
    },
    kill() {
      if (child) signalGroup(child, killSignal);
    },
    drain() {
      if (!child || !isRunning(child)) return;
      if (state === 'paused') signalGroup(child, 'SIGCONT');
      become('draining');
      child.kill(endSignal);
    },
    pause() {
      if (state !== 'up') return;
      become('paused');
      signalGroup(child!, 'SIGSTOP');
    },
    resume() {
      if (state !== 'paused') return;
      become('up');
      signalGroup(child!, 'SIGCONT');
    },
    async close() {
      if (!child || !isRunning(child)) return;
      const exited = once(child, 'exit');
      signalGroup(child, 'SIGCONT');
      child.kill(endSignal);
      await Promise.race([exited, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      if (isRunning(child)) signalGroup(child, 'SIGKILL');
    },
  };
}
