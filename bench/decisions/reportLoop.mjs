// SPDX-License-Identifier: Apache-2.0
// Loaded into a Midroll process by bench:decisions (NODE_OPTIONS). On SIGUSR2, it writes the processor time of the process and of its
// first thread so far, and how long that thread computed without a pause since the last signal, to the file BENCH_REPORT.
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_REPORT;
/** Slices shorter than this are not distinguished. */
const TICK_MS = 2;
const LONG_MS = 5;

if (isMainThread && file !== undefined && process.argv[1]?.endsWith('program.js')) {
  const scheduled = openSync('/proc/thread-self/schedstat', 'r');
  const digits = Buffer.alloc(64);
  /** Processor time of this thread in milliseconds: unlike the time of day, other load on the machine does not change it. */
  const used = () => {
    const length = readSync(scheduled, digits, 0, digits.length, 0);
    return Number(digits.latin1Slice(0, length).split(' ')[0]) / 1e6;
  };
  let last = used();
  let longest = 0;
  let long = 0;
  const timer = setInterval(() => {
    const now = used();
    const slice = now - last;
    last = now;
    if (slice > longest) longest = slice;
    if (slice > LONG_MS) long += 1;
  }, TICK_MS);
  timer.unref();
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    const report = { at: performance.now(), cpuMs: (user + system) / 1000, servingMs: used(), longest, long };
    writeFileSync(`${file}.new`, JSON.stringify(report));
    renameSync(`${file}.new`, file);
    [longest, long, last] = [0, 0, used()];
  });
}
