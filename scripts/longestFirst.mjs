// The order of the test files: those that take longest begin first, so that what waits does so beside what computes and
// no long file is left alone at the end. Seconds as measured; a file that is not listed is short.
import { relative } from 'node:path';

const SECONDS = {};

export class LongestFirst {
  constructor(vitest) {
    this.vitest = vitest;
  }

  shard(specifications) {
    return specifications;
  }

  /** Files of one project stay together: those without isolation share their workers then. */
  sort(specifications) {
    const secondsOf = ({ moduleId }) => SECONDS[relative(this.vitest.config.root, moduleId)] ?? 0;
    const order = ['whole', 'players', 'stores', 'pure'];
    const rank = ({ project }) => order.indexOf(project.name);
    return [...specifications].sort((a, b) => secondsOf(b) - secondsOf(a) || rank(a) - rank(b));
  }
}
