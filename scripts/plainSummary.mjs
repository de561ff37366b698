// A vitest reporter that ends the run with one plain line, for whoever reads the log from its end.

const count = (modules, state) => modules.reduce((sum, each) => sum + [...each.children.allTests(state)].length, 0);

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class PlainSummary {
  onTestRunEnd(modules, unhandledErrors) {
    const brokenFiles = modules.filter((each) => !each.ok() && count([each], 'failed') === 0).length;
    const failed = count(modules, 'failed') + brokenFiles + unhandledErrors.length;
    const skipped = count(modules, 'skipped');
    const line = `${count(modules, 'passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.once('exit', () => process.stdout.write(`${line}\n`)); // after the default reporter's own summary
  }
}
