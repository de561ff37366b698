// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Conditioning, openConditioning, testLadder } from '../../../test/media/conditioning.ts';
import { scratchFolder, scratchFolderInTest } from '../../../test/opened.ts';
import type { PackagedMedia } from '../../ingest/package/packagedMedia.ts';
import { readFragmentTimes } from '../../mp4/readFragmentTimes.ts';
import { readInit } from '../../mp4/readInit.ts';
import { readWebvtt } from '../../subtitles/webvtt.ts';
import { createMediaFiles } from './mediaFiles.ts';
import { probeFolder, sweepMedia } from './mediaSweep.ts';

const ID = '0123456789abcdef0123456789abcdef';
const packaged: PackagedMedia = {
  kind: 'creative',
  container: 'fmp4',
  frameRate: { n: 25, d: 1 },
  tracks: [],
  rungs: [],
  media: { id: ID, frames: 50, rungs: [] },
};

describe('media folders', () => {
  const dataDir = scratchFolder();
  const root = () => join(dataDir, 'media');

  it('exist once they are published, complete', async () => {
    const files = createMediaFiles({ dataDir });
    expect(files.find(ID)).toBeUndefined();
    const draft = await files.open(ID);
    const file = await draft.create('source');
    await file.write(new Uint8Array(1000));
    await file.close();
    expect(files.find(ID)).toBeUndefined();
    await draft.publish(packaged);
    await draft.discard();
    expect(files.find(ID)).toEqual(packaged);
    expect(await readdir(join(root(), ID))).toEqual(['meta.json']);
    expect(createMediaFiles({ dataDir: '/nowhere', prebuilt: [root()] }).find(ID)).toEqual(packaged);
  });

  it('are written in separate drafts, and a discarded draft leaves nothing', async () => {
    const other = ID.replace('0', 'f');
    const files = createMediaFiles({ dataDir });
    const [first, second] = [await files.open(other), await createMediaFiles({ dataDir }).open(other)];
    expect(first.folder).not.toBe(second.folder);
    await createMediaFiles({ dataDir }).clear();
    expect((await readdir(root())).length).toBe(3);
    await first.publish({ ...packaged, media: { ...packaged.media, id: other } });
    await second.publish({ ...packaged, media: { ...packaged.media, id: other } });
    expect(files.find(other)?.media.id).toBe(other);
    expect((await readdir(root())).sort()).toEqual([ID, other]);
    await rm(join(root(), other), { recursive: true });
  });

  it('have additional names, which refer to nothing once the medium is removed', async () => {
    const [name, another] = ['a'.repeat(32), 'b'.repeat(32)];
    const files = createMediaFiles({ dataDir });
    await files.name(name, ID);
    await files.name(another, 'c'.repeat(32));
    await files.name(ID, ID);
    expect(createMediaFiles({ dataDir }).find(name)).toEqual(packaged);
    expect(createMediaFiles({ dataDir: '/nowhere', prebuilt: [root()] }).find(name)).toEqual(packaged);
    expect(files.find(another)).toBeUndefined();
    expect(files.folderOf(name)).toBe(join(root(), ID));
    await files.unname(name);
    await files.unname(another);
    await files.unname('d'.repeat(32));
    expect(files.find(name)).toBeUndefined();
    expect(await readdir(root())).toEqual([ID]);
  });

  it('that are drafts are removed once their owner has ended', async () => {
    const kept: string[] = [];
    for (const [number, [owner, ageSeconds]] of [
      [`999999999 ${hostname()}`, 0],
      [`${process.pid} ${hostname()}`, 0],
      ['1 elsewhere', 120],
      ['1 elsewhere', 0],
    ].entries()) {
      const folder = join(root(), `.making-${'e'.repeat(32)}-${number}`);
      await mkdir(folder);
      await writeFile(join(folder, 'owner'), String(owner));
      const then = Date.now() / 1000 - Number(ageSeconds);
      await utimes(join(folder, 'owner'), then, then);
      kept.push(folder);
    }
    await createMediaFiles({ dataDir }).clear();
    // An owner on another machine may still be running.
    expect((await readdir(root())).map((name) => join(root(), name)).sort()).toEqual([kept[3], join(root(), ID)]);
    await rm(kept[3]!, { recursive: true });
  });

  it('are removed for space if unused for a day, except slate', async () => {
    const used = async (id: string, kind: PackagedMedia['kind'], daysAgo: number) => {
      const folder = join(root(), id);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'meta.json'), JSON.stringify({ ...packaged, kind }));
      const then = Date.now() / 1000 - daysAgo * 86_400;
      await utimes(join(folder, 'meta.json'), then, then);
    };
    await used('aa'.repeat(16), 'creative', 9);
    await used('bb'.repeat(16), 'slate', 8);
    await used('cc'.repeat(16), 'creative', 0.9);
    const [removed, kept] = ['aa', 'cc'].map((two) => two.repeat(16)) as [string, string];
    expect(await createMediaFiles({ dataDir, maxBytes: 10, unusedMs: 10 * 86_400_000 }).clear()).toEqual([]);
    const files = createMediaFiles({ dataDir, maxBytes: 10 });
    await files.name('1'.repeat(32), removed);
    await files.name('2'.repeat(32), kept);
    expect((await sweepMedia(root(), 1e6, 0)).removed).toEqual([]);
    expect(await files.full()).toMatch(/\b0 MiB\b.*\b0 MiB\b/);
    expect(await createMediaFiles({ dataDir }).full()).toBeUndefined();
    expect(await files.clear()).toEqual([removed]);
    const left = [ID, 'bb'.repeat(16), kept, `${'2'.repeat(32)}.name`];
    expect((await readdir(root())).sort()).toEqual(left.sort());
    await files.unname('2'.repeat(32));
    await Promise.all(['bb', 'cc'].map((two) => rm(join(root(), two.repeat(16)), { recursive: true })));
  });
});

describe('openSegment', () => {
  let bench: Conditioning;
  let id: string;
  beforeAll(async () => {
    bench = await openConditioning();
    const slate = await bench.library.slate(testLadder({ n: 25, d: 1 }, 48_000));
    if (slate.state !== 'ready') throw new Error(JSON.stringify(slate));
    id = slate.media.id;
  });
  afterAll(() => bench.close());
  const open = (...parts: [string, string, string, string]) => bench.files.openSegment(...parts);

  it('returns init sections and segments with their content types, repeatedly', async () => {
    expect((await open(id, '30', 'v0', 'init.mp4'))?.contentType).toBe('video/mp4');
    expect((await open(id, '30', 'a0', '0.m4s'))?.contentType).toBe('audio/mp4');
    const [first, again] = [await open(id, '30', 'v0', '3.m4s'), await open(id, '30', 'v0', '3.m4s')];
    expect(again!.bytes).toEqual(first!.bytes);
  });

  it('returns an empty text segment of the same length for every segment', async () => {
    const empty = await open(id, '30', 't0', '0.vtt');
    expect(empty?.contentType).toBe('text/vtt; charset=utf-8');
    expect(readWebvtt(new TextDecoder().decode(empty!.bytes))?.cues).toEqual([]);
    const times = async (rung: string, name: string) =>
      readFragmentTimes((await open(id, '30', rung, name))!.bytes).fragments.map(({ earliest, duration }) => [
        earliest,
        duration,
      ]);
    for (const name of ['0.m4s', '1.m4s', '77.m4s']) expect(await times('t0', name)).toEqual(await times('v0', name));
    const [video, text] = [await open(id, '30', 'v0', 'init.mp4'), await open(id, '30', 't0', 'init.mp4')];
    expect(readInit(text!.bytes)![0]!.timescale).toBe(readInit(video!.bytes)![0]!.timescale);
    expect(await open(id, '12', 't0', '0.m4s')).toBeUndefined();
    expect(await open(id, '30', 't0', '0.ts')).toBeUndefined();
  });

  it('returns segments of long sessions', async () => {
    expect(await open(id, '30', 'v0', '1000000.m4s')).toBeDefined();
    expect(await open(id, '30', 'a0', '1000000.m4s')).toBeDefined();
    expect(await open(id, '30', 'v0', '1000001.m4s')).toBeUndefined();
  });

  it.each([
    ['an unknown medium', 'f'.repeat(32), '30', 'v0', '0.m4s'],
    ['a path as a medium', '../media', '30', 'v0', '0.m4s'],
    ['a draft', '.making-x', '30', 'v0', '0.m4s'],
    ['a first segment that is too short', '', '12', 'v0', '0.m4s'],
    ['a first segment that is too long', '', '39', 'v0', '0.m4s'],
    ['an invalid number of frames', '', '30x', 'v0', '0.m4s'],
    ['a fraction', '', '30.5', 'v0', '0.m4s'],
    ['an unknown rung', '', '30', 'v9', '0.m4s'],
    ['another container', '', '30', 'v0', '0.ts'],
    ['a padded number', '', '30', 'v0', '00.m4s'],
    ['a negative number', '', '30', 'v0', '-1.m4s'],
    ['the description', '', '30', 'v0', 'meta.json'],
    ['a path outside', '', '30', '..', '0.m4s'],
  ])('returns undefined for %s', async (_, medium, frames, rung, name) => {
    expect(await open(medium || id, frames, rung, name)).toBeUndefined();
  });
});

let folder: string;
beforeEach(() => {
  folder = scratchFolderInTest();
});

test('processes with the same process id can check one folder at the same time', async () => {
  const reasons = await Promise.all(Array.from({ length: 20 }, () => probeFolder(folder)));
  expect(reasons).toEqual(Array(20).fill(undefined));
  expect(readdirSync(folder)).toEqual([]);
});

test('a missing folder is a reason', async () => {
  expect(await probeFolder(join(folder, 'missing'))).toContain('DATA_DIR');
});
