// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import { limitAnalyses } from './analyseChannel.ts';

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
