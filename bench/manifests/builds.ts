// SPDX-License-Identifier: Apache-2.0
// Bundles of the bench server: of this tree, and of another revision in a worktree of its own. A bundle starts in a tenth of a
// second, so that each round can have fresh processes.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const SERVER = 'bench/manifests/server.ts';

/** @returns the file of the program */
function bundle(tree: string, name: string): string {
  const folder = join(root, 'node_modules/.cache/midroll-bench', name);
  execFileSync(process.execPath, ['scripts/buildServer.mjs', '--program', SERVER, folder], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return join(folder, 'program.js');
}

export const bundleOwn = (): string => bundle(root, 'own');

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

export type OtherBuild = { readonly program: string; readonly commit: string };

/**
 * Bundles the server of another revision. The bench itself, with the channels, the viewers and the clock, is that of this tree;
 * if it does not fit the revision's code, the revision's own is used.
 */
export function bundleRevision(revision: string, log: (text: string) => void): OtherBuild {
  const commit = git('rev-parse', '--short', `${revision}^{commit}`);
  const tree = join(mkdtempSync(join(tmpdir(), 'midroll-bench-')), 'tree');
  git('worktree', 'add', '--detach', tree, commit);
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const hasOwn = existsSync(join(tree, SERVER));
    const own = hasOwn ? bundle(tree, `${commit}-own`) : undefined;
    rmSync(join(tree, 'bench'), { recursive: true });
    cpSync(join(root, 'bench'), join(tree, 'bench'), { recursive: true });
    try {
      return { program: bundle(tree, commit), commit };
    } catch (error) {
      const { stderr } = error as { stderr?: Buffer };
      const reason = String(stderr ?? error)
        .split('\n')
        .filter(Boolean)
        .slice(0, 6)
        .join('\n');
      if (own === undefined)
        throw new Error(`The bench of this tree does not fit ${revision}, which has none of its own:\n${reason}`);
      log(`The bench of this tree does not fit ${revision}; the one of that revision is used:\n${reason}`);
      return { program: own, commit };
    }
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
}
