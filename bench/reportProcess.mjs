// SPDX-License-Identifier: Apache-2.0
// Loaded into a Midroll process by a benchmark (NODE_OPTIONS): on SIGUSR2, it collects garbage and writes what the process holds and
// has used to the file BENCH_REPORT, and begins to measure the delay of the event loop again.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_REPORT;
if (isMainThread && file !== undefined && process.argv[1]?.endsWith('dist/main.js')) {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on('SIGUSR2', () => {
    const cpu = process.cpuUsage();
    const [p50, p99] = [delay.percentile(50) / 1e6, delay.percentile(99) / 1e6];
    const resources = process.getActiveResourcesInfo();
    const count = (name) => resources.filter((each) => each === name).length;
    collectGarbage();
    const { rss, heapUsed } = process.memoryUsage();
    const report = {
      ...{ at: performance.now(), cpuMs: (cpu.user + cpu.system) / 1000, p50, p99, rss, heapUsed },
      // The collection of garbage is not the product's.
      collectedMs: (process.cpuUsage().user + process.cpuUsage().system - cpu.user - cpu.system) / 1000,
      ...{ sockets: count('TCPSocketWrap'), timers: count('Timeout') },
    };
    writeFileSync(`${file}.new`, JSON.stringify(report));
    renameSync(`${file}.new`, file);
    delay.reset();
  });
}
