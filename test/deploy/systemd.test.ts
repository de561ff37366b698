// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { STOP_LIMIT_SECONDS } from '../../src/composition/ending.ts';
import { readConfig } from '../../src/config.ts';
import { environment } from '../../src/settings/environment.ts';
import { scratchFolder } from '../opened.ts';
import { readText, root } from '../repositoryFiles.ts';
import { drainSeconds } from './containerFiles.ts';
import { readVariables } from './manifests.ts';

const read = (name: string) => readText(`deploy/systemd/${name}`);
const units = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.service'));
const scratch = scratchFolder();

/** The lines of a unit: section, key and value. */
function linesOf(unit: string): { section: string; key: string; value: string }[] {
  let section = '';
  return read(unit)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      section = /^\[(\w+)\]$/.exec(line)?.[1] ?? section;
      if (line.startsWith('[')) return [];
      const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (key === undefined) throw new Error(`${unit}: ${line}`);
      return [{ section, key, value: value! }];
    });
}
const valuesOf = (unit: string, key: string): string[] =>
  linesOf(unit).flatMap((line) => (line.key === key ? [line.value] : []));

test.each(units)('%s runs the installed command as a user without rights', (unit) => {
  const role = unit === 'midroll-worker.service' ? 'env ROLE=worker ' : '';
  expect(valuesOf(unit, 'ExecStart')).toEqual([`${role}midroll serve`]);
  const [user] = valuesOf(unit, 'User');
  expect(read('sysusers.conf')).toMatch(new RegExp(`^u ${user} `, 'm'));
  expect(valuesOf(unit, 'CapabilityBoundingSet')).toEqual(['']);
  const directories = { StateDirectory: 'midroll', ProtectSystem: 'strict', WorkingDirectory: '%S/midroll' };
  for (const [key, value] of Object.entries(directories)) expect(valuesOf(unit, key)).toEqual([value]);
  expect(valuesOf(unit, 'MemoryDenyWriteExecute')).toEqual([]);
});

test.each(units)(
  '%s sends SIGTERM to the main process only, and does not repeat a start with invalid settings',
  (unit) => {
    expect(valuesOf(unit, 'KillMode')).toEqual(['mixed']);
    const limit = drainSeconds() + STOP_LIMIT_SECONDS;
    expect(valuesOf(unit, 'TimeoutStopSec').map(Number)).toEqual([expect.toSatisfy((seconds) => seconds >= limit)]);
    expect(valuesOf(unit, 'RestartPreventExitStatus')).toEqual(['2']);
  },
);

test.each(units)('the variables of %s are settings, and those of midroll.env are valid', (unit) => {
  const variables = readVariables(valuesOf(unit, 'Environment'));
  const ofAws = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const known = [...Object.keys(environment.properties), 'NODE_ENV', 'NODE_OPTIONS', ...ofAws];
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
  const lines = read('midroll.env').split('\n');
  const optional = readVariables(lines.map((line) => line.replace(/^#(?=[A-Z_]+=)/, '')));
  expect(Object.keys(optional).filter((name) => !known.includes(name))).toEqual([]);
  for (const settings of [readVariables(lines), optional]) {
    expect(readConfig({ ...variables, ...settings })).toMatchObject({ ok: true, config: { HOST: '127.0.0.1' } });
  }
});

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { cwd: scratch, encoding: 'utf8' });
test.runIf(analyze('--version').status === 0)('systemd accepts the units', () => {
  const copies = units.map((unit) => {
    // The command need not be installed here.
    writeFileSync(join(scratch, unit), read(unit).replace(/\bmidroll serve$/m, process.execPath));
    return join(scratch, unit);
  });
  expect(analyze('verify', '--man=no', ...copies)).toMatchObject({ status: 0, stderr: '' });
});
