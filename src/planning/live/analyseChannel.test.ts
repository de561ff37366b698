// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import type { ManifestDecoder } from '../../ingest/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { createChannelAnalyser, limitAnalyses } from './analyseChannel.ts';

const timers = { after: () => ({ cancel: () => {} }) } as unknown as Timers;

test('the analyses of a key run one after the other, and the origins of one share the limits of their manifests', async () => {
  const underWay: { url: string; decode: ManifestDecoder | undefined; end: () => void }[] = [];
  const analyse = createChannelAnalyser(
    (url, _, decode) =>
      new Promise((resolve) => {
        const end = () => resolve({ url, breaks: [], warnings: [], problems: ['none'] } satisfies OriginAnalysis);
        underWay.push({ url, decode, end });
      }),
    timers,
  );
  const endAll = () => {
    for (const { end } of underWay.splice(0)) end();
  };
  const first = analyse('one', { sourceManifestUrl: 'a', backupManifestUrls: ['b', 'c'] });
  const waiting = ['d', 'e', 'f'].map((url) => analyse('one', { sourceManifestUrl: url }));
  expect(await analyse('one', { sourceManifestUrl: 'g' })).toBe('busy');
  const other = analyse('two', { sourceManifestUrl: 'h' });
  await expect.poll(() => underWay.map(({ url }) => url)).toEqual(['a', 'b', 'c', 'h']);
  const decoders = underWay.map(({ decode }) => decode);
  expect(new Set(decoders.slice(0, 3)).size).toBe(1);
  expect(new Set(decoders).size).toBe(2);
  endAll();
  expect(await first).toMatchObject({ backupManifestUrls: [{ url: 'b' }, { url: 'c' }] });
  expect(await other).toMatchObject({ sourceManifestUrl: { url: 'h' } });
  for (const [index, url] of ['d', 'e', 'f'].entries()) {
    await expect.poll(() => underWay.map((one) => one.url)).toEqual([url]);
    endAll();
    expect(await waiting[index]).toMatchObject({ sourceManifestUrl: { url } });
  }
  const again = analyse('one', { sourceManifestUrl: 'i' });
  await expect.poll(() => underWay.length).toBe(1);
  endAll();
  expect(await again).toMatchObject({ sourceManifestUrl: { url: 'i' } });
});

test('channels of one host are analysed a few at a time, whatever another host does', async () => {
  const underWay = new Map<string, () => void>();
  const analyse = limitAnalyses((url) => {
    return new Promise((resolve) =>
      underWay.set(url, () => resolve({ url, problems: [] } as unknown as OriginAnalysis)),
    );
  }, 2);
  const urls = Array.from({ length: 5 }, (_, index) => `https://silent.test/${index}.m3u8`);
  const silent = urls.map((url) => analyse(url));
  const other = analyse('https://other.test/live.mpd');
  expect([...underWay.keys()]).toEqual([...urls.slice(0, 2), 'https://other.test/live.mpd']);
  underWay.get('https://other.test/live.mpd')!();
  expect((await other).url).toBe('https://other.test/live.mpd');
  for (const [index, url] of urls.entries()) {
    underWay.get(url)!();
    expect((await silent[index]!).url).toBe(url);
    expect(underWay.size).toBe(Math.min(urls.length, index + 3) + 1);
  }
});
