// SPDX-License-Identifier: Apache-2.0
// Node, the files of this installation, and the limits of the process.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, failed, ok, warning } from './finding.ts';

/** As in package.json (`engines`). */
const OLDEST_NODE = [20, 19] as const;
/** A viewer's player keeps one to six connections open. */
const FEW_FILES = 4096;
/** Relative to the program in dist/. */
const CONSOLE = join(import.meta.dirname, '../console/dist/index.html');

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return ok('Node', version);
  return failed('Node', `${version} is too old`, `Install Node ${OLDEST_NODE.join('.')} or newer.`);
}

export function checkConsole(file = CONSOLE): Finding {
  if (existsSync(file)) return ok('Console', 'built');
  return warning('Console', 'not built', 'Run "npm run build" in the checkout; everything else works without it.');
}

/** Node raises the soft limit of open files to the hard limit when it starts. */
export function checkOpenFiles(limits = '/proc/self/limits'): Finding | undefined {
  if (!existsSync(limits)) return undefined;
  const [, hard = ''] = /^Max open files +\S+ +(\S+)/m.exec(readFileSync(limits, 'utf8')) ?? [];
  if (hard === 'unlimited' || Number(hard) >= FEW_FILES) return ok('Open files', `limit ${hard}`);
  return warning(
    'Open files',
    `limit ${hard}`,
    'Each connection needs a file descriptor. Raise "ulimit -n", or LimitNOFILE of the systemd unit.',
  );
}
