// What work costs, whatever else the machine has to do meanwhile.
import { readFileSync } from 'node:fs';

/** Milliseconds of processor time of this thread alone where the system tells them, else of all threads of this process. */
function spent(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** @returns milliseconds of processor time */
export function cpuMillis(work: () => unknown): number {
  const from = spent();
  work();
  return spent() - from;
}
