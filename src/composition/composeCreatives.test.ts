// SPDX-License-Identifier: Apache-2.0
// Two processes with an object store, which is a folder here.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../test/opened.ts';
import { createSystemClock } from '../adapters/systemClock.ts';
import { readConfig } from '../config.ts';
import type { PackagedMedia } from '../ingest/package/packagedMedia.ts';
import { composeCreatives } from './composeCreatives.ts';
import { openServices } from './openServices.ts';

const ID = 'c'.repeat(32);
let root: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  root = scratchFolderInTest();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function openProcess(name: string) {
  const settings = { DATA_DIR: join(root, name), MEDIA_URL: `file://${root}/store`, LOG_LEVEL: 'silent' };
  const reading = readConfig(settings);
  if (!reading.ok) throw new Error(reading.problems.join(' '));
  const services = await openServices(reading.config, { clock: createSystemClock() });
  const creatives = await composeCreatives(services, false, true);
  await creatives.start();
  closing.push(creatives.stop, services.close);
  return creatives;
}

test('a notice of a creative makes its media known that did not exist a moment ago', async () => {
  const [maker, node] = [await openProcess('maker'), await openProcess('node')];
  await node.files.load([ID]);
  const packaged = { kind: 'creative', media: { id: ID }, tracks: [], rungs: [] } as unknown as PackagedMedia;
  await (await maker.files.open(ID)).publish(packaged);
  await node.changed(new Set([ID]));
  await node.files.load([ID]);
  expect(node.files.find(ID)).toEqual(packaged);
});
