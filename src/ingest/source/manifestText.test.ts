// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { limitOrigin } from './limitOrigin.ts';
import { createManifestDecoder, manifestText } from './manifestText.ts';
import { createMediaReader } from './mediaReader.ts';

const playlist = (body: string): Buffer => Buffer.from(`#EXTM3U\n${body}`);
const mpd = (body: string): Buffer => Buffer.from(`<?xml version="1.0"?>\n<MPD>${body}</MPD>`);
/** Two million lines. */
const lines = playlist('#x\n'.repeat(2_000_000));

test.each([
  ['a comment in each line', lines, naming(200_000)],
  ['empty lines', playlist('\n'.repeat(8_000_000)), naming(200_000)],
  ['old line ends', playlist('#x\r'.repeat(200_000)), naming(200_000)],
  ['short segments', playlist('#EXTINF:1,\na\n'.repeat(50_001)), naming(50_000)],
  ['one line', playlist(`#EXTINF:1,\n${'a'.repeat(1_000_000)}`), naming(65_536, 'line 3')],
  ['S elements', mpd('<S d="1"/>'.repeat(200_001)), naming(200_000)],
  ['tags of a comment', mpd('<'.repeat(400_000)), naming(200_000)],
  ['UTF-16', Buffer.from(`\uFEFF<MPD>${'<S/>'.repeat(200_001)}</MPD>`, 'utf16le'), naming(200_000)],
  ['attributes', mpd(`\n<a ${'b="" '.repeat(2001)}/>`), naming(2000, 'line 3')],
  ['references', mpd('&amp;'.repeat(2001)), naming(2000, 'line 2')],
])('is not decoded above a limit: %s', async (_, bytes, message) => {
  expect(await manifestText(bytes)).toEqual({ refused: message });
});

test('decodes a day of segments of two seconds', async () => {
  const segment =
    '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n#EXT-X-BYTERANGE:1@0\n#EXTINF:2,\nsegment.m4s?token=abc\n';
  expect(await manifestText(playlist(segment.repeat(43_200)))).toHaveLength(8 + 43_200 * segment.length);
  expect(await manifestText(mpd('<S t="0" d="1"/>'.repeat(86_400)))).toContain('<MPD>');
});

test('the manifests of one source share a limit', async () => {
  const decode = createManifestDecoder();
  const day = playlist('#\n'.repeat(199_000));
  for (let count = 0; count < 10; count += 1) expect(await decode(day)).toHaveLength(day.length);
  expect(decode.refusal?.()).toBeUndefined();
  expect(await decode(day)).toEqual({ refused: naming(2_000_000) });
  // What is not decoded is not read either.
  const unread = { read: () => expect.unreachable(), save: () => expect.unreachable() };
  const { text } = createMediaReader(limitOrigin(unread, { concurrency: 1, timeoutMs: 1e6, decode }));
  expect(await text('https://origin.example/a.m3u8')).toMatchObject({ refused: naming('a.m3u8', 2_000_000) });
});
