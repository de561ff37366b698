import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, 'setup.mjs');
const setUp = (command: string, path?: string) => {
  const env = path === undefined ? process.env : { ...process.env, PATH: path, CHROMIUM_PATH: '' };
  return spawnSync(process.execPath, [script, command], { encoding: 'utf8', env });
};

/** A PATH on which there is Node and nothing else. */
function barePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bare-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

test('it says nothing when nothing is to do', () => {
  expect(setUp('demo')).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('what is missing and cannot be installed is named with what it costs, and stops nothing', () => {
  const demo = setUp('demo', barePath());
  expect(demo.status).toBe(0);
  expect(demo.stderr).toMatch(/^ffmpeg is missing and this system has no apt-get: the demo runs with ads/);
  const tests = setUp('test', barePath());
  expect(tests.status).toBe(0);
  for (const name of ['ffmpeg', 'Chromium', 'Redis', 'xmllint']) expect(tests.stderr).toContain(`${name} is missing`);
});

test('a command it does not know is refused with those it knows', () => {
  const { status, stderr } = setUp('bench');
  expect(status).toBe(1);
  expect(stderr).toBe('usage: node scripts/setup.mjs demo|test, got "bench"\n');
});
