// What work costs, whatever else the machine has to do meanwhile.

/** @returns milliseconds of processor time, of all threads of this process */
export function cpuMillis(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
