import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Conditioning, openConditioning, testLadder } from '../../test/conditioning.ts';
import type { PackagedMedia } from '../ingest/packagedMedia.ts';
import { createMediaFiles } from './mediaFiles.ts';
import { sweepMedia } from './mediaFilesSweep.ts';

const ID = '0123456789abcdef0123456789abcdef';
const packaged: PackagedMedia = {
  ...{ kind: 'creative', container: 'fmp4', frameRate: { n: 25, d: 1 }, tracks: [], rungs: [] },
  media: { id: ID, frames: 50, rungs: [] },
};

describe('media folders', () => {
  let dataDir: string;
  const shelf = () => join(dataDir, 'media');
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'media-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('exist when they are published, whole, and not a moment before', async () => {
    const files = createMediaFiles({ dataDir });
    expect(files.find(ID)).toBeUndefined();
    const workshop = (await files.claim(ID))!;
    const file = await workshop.create('source');
    await file.write(new Uint8Array(1000));
    await file.close();
    expect(files.find(ID)).toBeUndefined();
    await workshop.publish(packaged);
    await workshop.discard();
    expect(files.find(ID)).toEqual(packaged);
    expect(await readdir(join(shelf(), ID))).toEqual(['meta.json']);
    expect(createMediaFiles({ dataDir: '/nowhere', prebuilt: [shelf()] }).find(ID)).toEqual(packaged);
  });

  it('are made by one at a time, and what is given up leaves nothing', async () => {
    const [first, second] = [createMediaFiles({ dataDir }), createMediaFiles({ dataDir })];
    const other = ID.replace('0', 'f');
    const workshop = (await first.claim(other))!;
    expect(await second.claim(other)).toBeUndefined();
    await second.clear();
    expect(await readdir(shelf())).toContain(`.making-${other}`);
    await workshop.discard();
    expect(await readdir(shelf())).toEqual([ID]);
  });

  it.each([
    ['a process that is gone', `999999999 ${hostname()}`, 0],
    ['this process number, before a restart', `${process.pid} ${hostname()}`, 0],
    ['another machine that fell silent', '1 elsewhere', 120],
  ])('are taken over from %s', async (_, owner, ageSeconds) => {
    const other = 'e'.repeat(32);
    const folder = join(shelf(), `.making-${other}`);
    const leave = async () => {
      await mkdir(folder);
      await writeFile(join(folder, 'owner'), owner);
      const then = Date.now() / 1000 - ageSeconds;
      await utimes(join(folder, 'owner'), then, then);
    };
    const files = createMediaFiles({ dataDir });
    await leave();
    await files.clear();
    expect(await readdir(shelf())).toEqual([ID]);
    await leave();
    const workshop = await files.claim(other);
    expect(workshop).toBeDefined();
    await workshop!.discard();
  });

  it('make room for others when nobody has used them for a day, but slate never', async () => {
    const used = async (id: string, kind: PackagedMedia['kind'], daysAgo: number) => {
      const folder = join(shelf(), id);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'meta.json'), JSON.stringify({ ...packaged, kind }));
      const then = Date.now() / 1000 - daysAgo * 86_400;
      await utimes(join(folder, 'meta.json'), then, then);
    };
    await used('aa'.repeat(16), 'creative', 9);
    await used('bb'.repeat(16), 'slate', 8);
    await used('cc'.repeat(16), 'creative', 0.9);
    expect(await sweepMedia(shelf(), 1e6)).toEqual([]);
    expect(await sweepMedia(shelf(), 10)).toEqual(['aa'.repeat(16)]);
    expect((await readdir(shelf())).sort()).toEqual([ID, 'bb'.repeat(16), 'cc'.repeat(16)]);
    await Promise.all(['bb', 'cc'].map((two) => rm(join(shelf(), two.repeat(16)), { recursive: true })));
  });

  it('are left to another machine that is at work', async () => {
    const folder = join(shelf(), `.making-${'d'.repeat(32)}`);
    await mkdir(folder);
    await writeFile(join(folder, 'owner'), '1 elsewhere');
    const files = createMediaFiles({ dataDir });
    await files.clear();
    expect(await files.claim('d'.repeat(32))).toBeUndefined();
    await rm(folder, { recursive: true });
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

  it('answers init sections and segments with their types, as often as asked', async () => {
    expect((await open(id, '30', 'v0', 'init.mp4'))?.contentType).toBe('video/mp4');
    expect((await open(id, '30', 'a0', '0.m4s'))?.contentType).toBe('audio/mp4');
    const [first, again] = [await open(id, '30', 'v0', '3.m4s'), await open(id, '30', 'v0', '3.m4s')];
    expect(again!.bytes).toEqual(first!.bytes);
  });

  it('goes on for as long as a viewer may stay', async () => {
    expect(await open(id, '30', 'v0', '1000000.m4s')).toBeDefined();
    expect(await open(id, '30', 'a0', '1000000.m4s')).toBeDefined();
    expect(await open(id, '30', 'v0', '1000001.m4s')).toBeUndefined();
  });

  it.each([
    ['an unknown medium', 'f'.repeat(32), '30', 'v0', '0.m4s'],
    ['a path for a medium', '../media', '30', 'v0', '0.m4s'],
    ['a folder being made', '.making-x', '30', 'v0', '0.m4s'],
    ['a first segment that is too short', '', '12', 'v0', '0.m4s'],
    ['one that is too long', '', '39', 'v0', '0.m4s'],
    ['no number of frames', '', '30x', 'v0', '0.m4s'],
    ['a fraction', '', '30.5', 'v0', '0.m4s'],
    ['an unknown rung', '', '30', 'v9', '0.m4s'],
    ['another container', '', '30', 'v0', '0.ts'],
    ['a padded number', '', '30', 'v0', '00.m4s'],
    ['a negative number', '', '30', 'v0', '-1.m4s'],
    ['the description', '', '30', 'v0', 'meta.json'],
    ['a way out', '', '30', '..', '0.m4s'],
  ])('knows nothing of %s', async (_, medium, frames, rung, name) => {
    expect(await open(medium || id, frames, rung, name)).toBeUndefined();
  });
});
