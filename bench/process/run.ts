// SPDX-License-Identifier: Apache-2.0
// `npm run bench:process`: what viewers cost the product itself: `midroll serve` on SQLite, 10,000 sessions that poll without a pause
// through breaks (`npm run bench:break`: every two seconds, with ad sources in three steps), an ad server that responds in 200 ms, and beacons that are received and counted. The process has the first
// processor; viewers and servers have the second. Fails if an answer is wrong, a break is not filled, or a beacon is lost.
import { parseArgs } from 'node:util';
import { measureProcess, type ProcessShape } from './measureProcess.ts';
import { faultsOf, otherWorkIn, phaseText, reportOf } from './report.ts';
import { openStage, pin } from './stage.ts';

const text = { type: 'string' } as const;
const steps = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: { viewers: text, followers: text, joiners: text, poll: text, breaks: text, steps },
});
const shape: ProcessShape = {
  viewers: Number(values.viewers ?? 10_000),
  followers: Number(values.followers ?? 1000),
  joiners: Number(values.joiners ?? 0),
  pollMs: 1000 * Number(values.poll ?? 0),
  breaks: Number(values.breaks ?? 2),
  hasSteps: values.steps,
};

/** Above this share of its processor, faults may be those of the machine. */
const MOST_OTHER_WORK = 0.1;

pin(1, process.pid);
const stage = await openStage(shape.hasSteps);
try {
  const ended = stage.midroll.exited().then((status) => {
    throw new Error(`Midroll ended with ${status}.`);
  });
  const figures = await Promise.race([ended, measureProcess(stage, shape, (phase) => console.log(phaseText(phase)))]);
  console.log();
  for (const line of reportOf(figures, shape)) console.log(line);
  const faults = [...faultsOf(figures, shape), ...stage.midroll.bugs().slice(0, 5)];
  for (const fault of faults) console.error(fault);
  const isBusy = otherWorkIn(figures) > MOST_OTHER_WORK;
  if (faults.length > 0 && isBusy) console.error('Not judged: the processor of Midroll had other work.');
  if (faults.length > 0) process.exitCode = isBusy ? 2 : 1;
} finally {
  await stage.close();
}
process.exit();
