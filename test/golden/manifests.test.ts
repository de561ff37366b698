// SPDX-License-Identifier: Apache-2.0
// Compares every byte of the manifests and feeds of several kinds of channels (play.ts) with the files in manifests/. Only
// line breaks are added, between XML elements and JSON values. UPDATE_GOLDEN=1 rewrites the files.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkMpd } from '../laws/schema/checkMpd.ts';
import { playGoldens } from './play.ts';

const FOLDER = join(import.meta.dirname, 'manifests');
const CHANNELS = ['edited', 'film', 'main', 'mixed', 'ntsc', 'silent', 'sound', 'ts'];

let played: Awaited<ReturnType<typeof playGoldens>>;
beforeAll(async () => {
  played = await playGoldens();
  if (process.env.UPDATE_GOLDEN !== '1') return;
  rmSync(FOLDER, { recursive: true, force: true });
  for (const [name, text] of played.goldens) {
    const path = join(FOLDER, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
});

const goldenNames = (): string[] =>
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.txt'))
    .sort();

test.each(CHANNELS)('channel %s serves the bytes of its golden files', (channel) => {
  const names = [...played.goldens.keys()].filter((name) => name.startsWith(`${channel}/`));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    expect.soft(played.goldens.get(name), name).toBe(readFileSync(join(FOLDER, name), 'utf8'));
  }
});

test('each MPD follows the schema', () => {
  const mpds = [...played.goldens.values()].flatMap((text) => text.match(/<\?xml[^>]*>\s*<MPD[\s\S]*?<\/MPD>/g) ?? []);
  expect(mpds.length).toBeGreaterThan(0);
  for (const mpd of mpds) checkMpd(mpd);
});

test('there is one golden file for each response', () => {
  expect([...played.goldens.keys()].sort()).toEqual(goldenNames());
});

test('a restart changes no manifest', () => {
  expect(played.restarts).toHaveLength(1);
  for (const { before, after } of played.restarts) expect(after).toEqual(before);
});

test('Midroll logs no error', () => {
  expect(played.bugs).toBe('');
});
