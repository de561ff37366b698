// SPDX-License-Identifier: Apache-2.0
// Bundles of servers under test: of this tree, and of another revision in a worktree of its own. A bundle starts in a tenth of a
// second, so that each round can have fresh processes.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** @returns the file of the program */
function bundle(tree: string, name: string, source: string): string {
  const folder = join(root, 'node_modules/.cache/midroll-bench', name);
  const programs = join(folder, 'dist');
  execFileSync(process.execPath, ['scripts/buildServer.mjs', '--program', source, programs], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The server reads its version there.
  copyFileSync(join(tree, 'package.json'), join(folder, 'package.json'));
  return join(programs, 'program.js');
}

/** @param source below the root. @returns the file of the program */
export const bundleOwn = (source: string): string => bundle(root, `own-${source.replaceAll(/\W/g, '-')}`, source);

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

function commitOf(revision: string): string {
  try {
    return git('rev-parse', '--short', `${revision}^{commit}`);
  } catch {
    throw new Error(`--base must be a revision of this repository; got ${JSON.stringify(revision)}.`);
  }
}

export type OtherBuild = { readonly program: string; readonly commit: string };

const firstLines = (error: unknown): string =>
  String((error as { stderr?: Buffer }).stderr ?? error)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 6)
    .join('\n');

/**
 * Bundles a program of another revision. The bench itself, with the channels, the viewers and the clock, is that of this tree. If
 * it does not fit the code of the revision, the revision's own is used.
 * @throws when the revision has none of its own either
 */
export function bundleRevision(revision: string, source: string, log: (text: string) => void): OtherBuild {
  const commit = commitOf(revision);
  const name = `${commit}-${source.replaceAll(/\W/g, '-')}`;
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const tree = join(folder, 'tree');
  git('worktree', 'add', '--detach', tree, commit);
  try {
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const own = existsSync(join(tree, source)) ? bundle(tree, `${name}-own`, source) : undefined;
    if (source.startsWith('src/')) return { program: own!, commit };
    rmSync(join(tree, 'bench'), { recursive: true });
    cpSync(join(root, 'bench'), join(tree, 'bench'), { recursive: true });
    try {
      return { program: bundle(tree, name, source), commit };
    } catch (error) {
      if (own === undefined)
        throw new Error(`The bench of this tree does not fit ${revision}, which has none:\n${firstLines(error)}`);
      log(
        `The bench of this tree does not fit ${revision}, so the one of that revision is used:\n${firstLines(error)}`,
      );
      return { program: own, commit };
    }
  } finally {
    git('worktree', 'remove', '--force', tree);
    rmSync(folder, { recursive: true });
  }
}
