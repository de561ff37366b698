// SPDX-License-Identifier: Apache-2.0
// The cost of work, independent of other load on the machine.
import { openSync, readFileSync, readSync } from 'node:fs';

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

/** @returns a function that returns the processor time of this thread in milliseconds, so often that it must not allocate */
export function threadTimer(): () => number {
  const scheduled = openSync('/proc/thread-self/schedstat', 'r');
  const digits = Buffer.alloc(32);
  return () => {
    const length = readSync(scheduled, digits, 0, digits.length, 0);
    let nanoseconds = 0;
    for (let at = 0; at < length && digits[at]! !== 0x20; at += 1) nanoseconds = 10 * nanoseconds + digits[at]! - 0x30;
    return nanoseconds / 1e6;
  };
}

/** @returns processor time in milliseconds */
export function cpuMillis(work: () => unknown): number {
  const from = spent();
  work();
  return spent() - from;
}
