// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process';
import { root } from '../repositoryFiles.ts';

/**
 * A process that conditions creatives, and its encoders in its group.
 * @param started receives it at once, so that it is ended whatever happens
 * @returns when it takes jobs
 */
export async function startWorker(
  started: ChildProcess[],
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const worker = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME, EGRESS_ALLOW: '127.0.0.0/8', ROLE: 'worker', LOG_LEVEL: 'warn', ...settings },
  });
  started.push(worker);
  for await (const chunk of worker.stderr!) if (String(chunk).includes('conditioning creatives')) return worker;
  throw new Error(`the worker ended with ${worker.exitCode}`);
}
