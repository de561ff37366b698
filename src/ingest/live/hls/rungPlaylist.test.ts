// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Origin } from '../../ports.ts';
import { createPlaylistRequester, type FetchedPlaylist } from './requestPlaylist.ts';
import { createRungPlaylist } from './rungPlaylist.ts';

const URL = 'https://o.example/live/v.m3u8';
const playlist = (first: number) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:2', `#EXT-X-MEDIA-SEQUENCE:${first}`, '#EXTINF:2,', `${first}.m4s`].join('\n');

test('a playlist that has not changed is neither sent nor parsed again', async () => {
  const server = { text: playlist(1), sent: 0 };
  const origin: Pick<Origin, 'read'> = {
    async read(url, { headers } = {}) {
      const etag = `"${server.text.length} ${server.text}"`;
      if (headers?.['if-none-match'] === etag) return { ok: false, reason: 'returned status 304', status: 304 };
      server.sent += 1;
      return { ok: true, url, status: 200, contentType: '', etag, bytes: new TextEncoder().encode(server.text) };
    },
  };
  const request = createPlaylistRequester(origin as Origin, 1);
  const rung = createRungPlaylist();
  const read = async () => (await request(URL)) as FetchedPlaylist;
  const first = await read();
  expect(rung.take(first, new Map())).toBe(true);
  const listed = rung.listed();
  for (let reading = 0; reading < 10; reading += 1) {
    const again = await read();
    expect(again.text).toBe(first.text);
    expect(rung.take(again, new Map())).toBe(false);
    expect(rung.listed()).toBe(listed);
  }
  expect(server.sent).toBe(1);
  server.text = playlist(2);
  expect(rung.take(await read(), new Map())).toBe(true);
  expect(rung.listed()?.segments.map(({ number }) => number)).toEqual([2]);
});
