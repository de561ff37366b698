// SPDX-License-Identifier: Apache-2.0
// The cost of work, independent of other load on the machine.
import { readFileSync } from 'node:fs';

/** Processor time in milliseconds: of this thread where the system reports it, else of all threads of this process. */
function spent(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** @returns processor time in milliseconds */
export function cpuMillis(work: () => unknown): number {
  const from = spent();
  work();
  return spent() - from;
}
