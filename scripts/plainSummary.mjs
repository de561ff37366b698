// SPDX-License-Identifier: Apache-2.0
// A vitest reporter for the end of a log: the slowest files, the time of each tier, and one plain line with the counts.
import { relative } from 'node:path';

const SLOWEST = 10;
const count = (modules, state) => modules.reduce((sum, each) => sum + [...each.children.allTests(state)].length, 0);
const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`;

/** The milliseconds of a file: loading, hooks and tests. */
const timeOf = (module) => {
  const { collectDuration, prepareDuration, setupDuration, environmentSetupDuration, duration } = module.diagnostic();
  return collectDuration + prepareDuration + setupDuration + environmentSetupDuration + duration;
};

function slowestOf(modules) {
  const slowest = modules.map((module) => ({ module, time: timeOf(module) })).sort((a, b) => b.time - a.time);
  return [
    `The ${SLOWEST} slowest files:`,
    ...slowest
      .slice(0, SLOWEST)
      .map(({ module, time }) => `${seconds(time)}  ${relative(module.project.config.root, module.moduleId)}`),
  ];
}

function tiersOf(modules) {
  const tiers = new Map();
  for (const module of modules) tiers.set(module.project.name, [...(tiers.get(module.project.name) ?? []), module]);
  const rows = [...tiers].map(([name, of]) => {
    const time = of.reduce((sum, module) => sum + timeOf(module), 0);
    return `${seconds(time)}  ${name}: ${count(of)} tests in ${of.length} files`;
  });
  return ['Time per tier, all workers together:', ...rows];
}

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class PlainSummary {
  onTestRunEnd(modules, unhandledErrors) {
    const brokenFiles = modules.filter((each) => !each.ok() && count([each], 'failed') === 0).length;
    const failed = count(modules, 'failed') + brokenFiles + unhandledErrors.length;
    const skipped = count(modules, 'skipped');
    const line = `${count(modules, 'passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    const text = [...slowestOf([...modules]), ...tiersOf([...modules]), line].join('\n');
    process.once('exit', () => process.stdout.write(`${text}\n`)); // after the default reporter's own summary
  }
}
