// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { airingOf, decide, hlsByRows, syntheticChannel, viewerOf } from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { textOf } from '../../test/laws/textOf.ts';
import type { Parts } from '../cache/sharedText.ts';
import { mediaPlaylistOf } from '../http/live/manifests/manifestTexts.ts';
import { type View, viewAt } from '../playback/view/view.ts';
import { millis } from '../time/units.ts';
import { spanStart } from '../timeline/programme/span.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const DEPTH = 2400;
const BREAK = 20;
const idle = { begin: () => {}, settle: async () => {} };
const segments = new Array<number>(600).fill(50);
const asset = syntheticAsset({ name: 'film', segments });
const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 600, maxDuration: BREAK }] }], START);
const airing = airingOf(channel, DEPTH);

/** A viewer with an ad of so many seconds in each break. */
async function viewWith(seconds: number, after: number): Promise<View> {
  const viewer = viewerOf(airing, START);
  for (const span of channel.programme.spansBetween(millis(START), millis(START + 1000 * (after + 60)))) {
    if (span.break === undefined) continue;
    const { id } = span.break;
    const ads = [{ adId: `${id}-0`, mediaId: `m${seconds}x${25 * seconds}`, frames: 25 * seconds }];
    decide(channel, viewer, span, { breakId: id, startsAt: spanStart(span), joined: 0, ads });
  }
  return viewAt(airing, viewer, idle, millis(START + 1000 * after));
}

const sharedIn = (playlist: string | Parts): readonly object[] =>
  typeof playlist === 'string' ? [] : playlist.filter((part) => typeof part !== 'string');

test('a long window is in parts: long texts of content are the same objects for all viewers', async () => {
  const [one, other] = [await viewWith(4, 3000), await viewWith(12, 3000)];
  const [playlist, another] = [mediaPlaylistOf(one, 0), mediaPlaylistOf(other, 0)];
  expect(sharedIn(playlist).length).toBeGreaterThanOrEqual(2);
  for (const [index, part] of sharedIn(playlist).entries()) expect(sharedIn(another)[index]).toBe(part);
  expect(textOf(playlist)).toBe(hlsByRows(one, 0));
  expect(textOf(another)).toBe(hlsByRows(other, 0));
  expect(textOf(playlist)).not.toBe(textOf(another));
});

test('a short window is one text', async () => {
  const playlist = mediaPlaylistOf(await viewWith(4, 40), 0);
  expect(playlist).toBe(hlsByRows(await viewWith(4, 40), 0));
});
