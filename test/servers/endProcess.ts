// SPDX-License-Identifier: Apache-2.0
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends a signal to a process that runs, and waits for its exit. @param isGroup whether to those that it has started, too */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals, isGroup = false): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (isGroup) process.kill(-child.pid!, signal);
  else child.kill(signal);
  await exited;
}
