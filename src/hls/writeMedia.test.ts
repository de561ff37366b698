// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import { airingOf, decideOn, hlsOf, placeOn, syntheticChannel, viewerOf } from '../../test/laws/syntheticChannel.ts';
import {
  LAG,
  LIVE_START,
  liveFeed,
  liveNode,
  liveViewer,
  type OriginBreak,
  writeLog,
} from '../../test/laws/syntheticLive.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { textOf } from '../../test/laws/textOf.ts';
import { mediaPlaylistOf } from '../http/live/manifests/manifestTexts.ts';
import type { LiveRules } from '../live/slot.ts';
import { collectBreaks } from '../markers/breakFold.ts';
import { placeTags } from '../markers/placeTags.ts';
import { viewAt } from '../playback/view/view.ts';
import { type Flicks, flicks, flicksToSeconds, millis, secondsToFlicks } from '../time/units.ts';
import { breakOf } from '../timeline/programme/span.ts';
import { readMedia } from './readMedia.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const DEPTH = 120_000;
const decider = { begin: () => {}, settle: async () => {} };

test('rounding errors of EXTINF do not add up over clips', async () => {
  // 157 frames are 5.2385666… s: if each were rounded on its own, three of them would be a microsecond too long.
  const rate = { n: 30_000, d: 1001 };
  const asset = syntheticAsset({ name: 'a', rate, segments: [60, 60, 37] });
  const airing = airingOf(syntheticChannel([{ asset, cuePoints: [] }], START), DEPTH / 1000);
  const loops = 11;
  const now = millis(START + 90_000);
  const text = hlsOf(await viewAt(airing, viewerOf(airing, START), decider, now), 0);
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Math.round(Number(seconds) * 1e6));
  const sum = lengths.slice(0, 3 * loops).reduce((total, length) => total + length, 0);
  expect(sum).toBe(Math.round((loops * 157 * 1001 * 1e6) / 30_000));
});

/** In slots of 2 s. */
const brief = { leadSlots: 0, hasIn: true, continues: true } as const;
const breaks: readonly OriginBreak[] = [
  { ...brief, slot: 4, ends: 9, announced: secondsToFlicks(10), form: 'cues' },
  { ...brief, slot: 9, ends: 13, form: 'cues' },
  { ...brief, slot: 20, ends: 26, announced: secondsToFlicks(30), leadSlots: 6, form: 'range', continues: false },
];
const ad = (breakId: string, index: number) => ({ adId: `${breakId}-${index}`, mediaId: `m${index}x100`, frames: 100 });

type Shown = Partial<LiveRules> & { readonly ads: number; readonly size?: number };

/** The playlists of a viewer who is at slot 38 and has the same number of ads of 4 s in each break. */
async function playlistsOf({ ads, size = 90, ...own }: Shown): Promise<string[]> {
  const feed = liveFeed(50, 1);
  const rules: LiveRules = { fill: 'slate', maxBreak: secondsToFlicks(60), markers: 'pass', ...own };
  const plan = { frames: 50, breaks };
  const node = liveNode(
    feed,
    writeLog(feed, plan, rules, 40, () => 0),
    0,
    { playlistSize: size },
  );
  const opened = millis(LIVE_START.millis + LAG + 5000);
  const viewer = liveViewer(node.airingAt(opened), opened, { joinedAt: LIVE_START.millis }, 'hls');
  const now = millis(LIVE_START.millis + LAG + 76_500);
  const airing = node.airingAt(now);
  placeOn(airing, viewer);
  for (const span of airing.programme.spansBetween(LIVE_START.millis, now)) {
    if (span.break === undefined) continue;
    const { id } = span.break;
    const pod = Array.from({ length: ads }, (_, index) => ad(id, index));
    decideOn(airing, viewer, span, { breakId: id, startsAt: breakOf(span)!.startsAt, joined: 0, ads: pod });
  }
  const view = await viewAt(airing, viewer, { begin: () => {}, settle: async () => {} }, now);
  return feed.ladder.rungs.map((_, rung) => textOf(mediaPlaylistOf(view, rung)));
}

/** The breaks of a playlist, in seconds after the start of the origin. */
function breaksOf(text: string): unknown[] {
  const playlist = readMedia(text);
  if ('refused' in playlist) throw new Error(playlist.refused);
  const borders: Flicks[] = [flicks(0)];
  for (const { micros } of playlist.segments) borders.push(flicks(borders.at(-1)! + secondsToFlicks(micros / 1e6)));
  const dates = playlist.segments.map(({ programDateTime }) => programDateTime);
  const passed = playlist.markers.filter(({ value }) => !value.includes('X-MIDROLL-BREAK'));
  const signals = placeTags(passed, { borders, dates, isLive: true });
  const zero = (Date.parse(dates[0]!) - LIVE_START.millis) / 1000;
  const seconds = (at: Flicks | undefined) => (at === undefined ? undefined : Math.round(zero + flicksToSeconds(at)));
  return collectBreaks(signals, flicks(0)).breaks.map(({ at, until }) => [seconds(at), seconds(until)]);
}

const markerLines = (text: string): string[] =>
  text.split('\n').filter((line) => /^#EXT-X-(CUE|DATERANGE:ID="b)/.test(line));

describe.each(['slate', 'content'] as const)('breaks that show %s', (fill) => {
  test.each([0, 1, 2])('a playlist with %i ads in each break has the breaks of the origin', async (ads) => {
    const [video, ...others] = await playlistsOf({ fill, ads });
    expect(video).toContain('o.test/video0/500.m4s');
    expect(breaksOf(video!)).toEqual([
      [8, 18],
      [18, 26],
      [40, 52],
    ]);
    for (const other of others) expect(markerLines(other)).toEqual(markerLines(video!));
  });
});

test('of the tags within a break, those of replaced segments are left out', async () => {
  const count = async (shown: Shown) => (await playlistsOf(shown))[0]!.split('\n#EXT-X-CUE-OUT-CONT').length - 1;
  expect(await count({ fill: 'slate', ads: 0 })).toBe(0);
  expect(await count({ fill: 'slate', ads: 1 })).toBe(0);
  expect(await count({ fill: 'content', ads: 0 })).toBe(7);
  expect(await count({ fill: 'content', ads: 1 })).toBe(5);
});

test('a tag leaves the playlist with its segment, and the date range of a break with the last segment of the break', async () => {
  const at = async (size: number) => markerLines((await playlistsOf({ ads: 2, size }))[0]!);
  const [start, end] = ['SCTE35-OUT', 'SCTE35-IN'].map((name) => expect.stringContaining(name));
  expect(await at(90)).toHaveLength(6);
  expect(await at(40)).toEqual([start, end]);
  expect(await at(30)).toEqual([start, end]);
  expect(await at(23)).toEqual([end]);
});

test('without the rule, a playlist has no markers of the origin', async () => {
  expect(markerLines((await playlistsOf({ ads: 1, markers: undefined as never }))[0]!)).toEqual([]);
});
