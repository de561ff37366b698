// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { DeltaWitness } from '../../test/laws/deltaWitness.ts';
import { operated } from '../../test/laws/insertedBreaks.ts';
import { randomDecider } from '../../test/laws/randomDecider.ts';
import {
  airingOf,
  hlsDeltaOf,
  hlsOf,
  mpdOf,
  type SyntheticChannel,
  syntheticChannel,
  viewerOf,
} from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { readTags } from '../../test/markers/markedBreaks.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import { freshOdometer } from '../ads/placement/decision.ts';
import { noMemos } from '../cache/memo.ts';
import type { LinearChannel } from '../channels/channel.ts';
import { channelMediaText } from '../http/live/guided/channelRoutes.ts';
import type { Airing } from '../playback/onAir/airing.ts';
import { channelView } from '../playback/view/channelView.ts';
import { viewAt } from '../playback/view/view.ts';
import { readPayload } from '../scte35/readSection.ts';
import { flicksToSeconds, millis, secondsToFlicks } from '../time/units.ts';
import { isBreakSpan, type Span } from '../timeline/programme/span.ts';
import { windowAt } from '../timeline/programme/window.ts';
import type { MarkerDialect } from './breakMarkers.ts';
import { writeMedia } from './writeMedia.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');

/** Segments of 2 s, with a break of five segments of slate of 1 s after three of content. */
function channelOf(): SyntheticChannel {
  const asset = syntheticAsset({ name: 'film', segments: new Array<number>(6).fill(50) });
  return syntheticChannel([{ asset, cuePoints: [{ spliceTime: 6, maxDuration: 5 }] }], START);
}

/** @param size of the window in seconds */
function airs(channel: SyntheticChannel, size: number, more: Partial<LinearChannel> = {}): Airing {
  const airing = airingOf(channel, size);
  return { ...airing, channel: { ...airing.channel, ...more, type: 'vod2live' } as LinearChannel };
}

/** The lines of markers, and the last part of URLs. */
const shown = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^(#EXT-X-(CUE|ASSET|DATERANGE:ID="splice)|#EXT-OATCLS)/.test(line) || /^[^#]/.test(line))
    .map((line) => line.replace(/^[^#].*\//, ''));

const at = (seconds: number, dialect: MarkerDialect, airing = airs(channelOf(), 20)): string[] =>
  shown(channelMediaText(channelView(airing, millis(START + 1000 * seconds)), 0, { dialect, ahead: 4000 }));

const RANGE = '#EXT-X-DATERANGE:ID="splice-0-1",START-DATE="2026-03-01T00:00:06.000Z"';
const OUT = '0xFC3020000000000000FFFFF00F05A78064497FFFFE0006DDD0000000000000B64F3C75';
const MESSAGE = '/DAgAAAAAAAA///wDwWngGRJf//+AAbd0AAAAAAAALZPPHU=';
const IN = '0xFC301B000000000000FFFFF00A05A78064497F5F000000000000B08B0780';
const CONTENT = ['1.m4s', '2.m4s', '3.m4s'];

test('a date range is announced ahead, has its message at the start of its break, and ends after it', () => {
  const planned = `${RANGE},PLANNED-DURATION=5.0`;
  const start = [`${planned},SCTE35-OUT=${OUT}`, '0.m4s', '1.m4s', '2.m4s', '3.m4s', '4.m4s'];
  expect(at(1.9, 'daterange')).toEqual([]);
  expect(at(2, 'daterange')).toEqual([planned, '1.m4s']);
  expect(at(11, 'daterange')).toEqual([...CONTENT, ...start]);
  const end = [`${RANGE},DURATION=5.0,SCTE35-IN=${IN}`, '4.m4s'];
  expect(at(13, 'daterange')).toEqual([...CONTENT, ...start, ...end]);
  // As long as one of its segments is listed.
  expect(at(24, 'daterange', airs(channelOf(), 10)).slice(0, 4)).toEqual([start[0], '3.m4s', '4.m4s', end[0]]);
});

test('CUE tags are at each segment of the break and after it, whichever the window begins with', () => {
  const continued = (seconds: number) => [
    `#EXT-X-CUE-OUT-CONT:ElapsedTime=${seconds}.0,Duration=5.0,SCTE35=${MESSAGE}`,
    `${seconds}.m4s`,
  ];
  const start = [`#EXT-OATCLS-SCTE35:${MESSAGE}`, '#EXT-X-CUE-OUT:5.0', '0.m4s'];
  expect(at(2, 'cue')).toEqual(['1.m4s']);
  const all = [...CONTENT, ...start, ...[1, 2, 3, 4].flatMap(continued), '#EXT-X-CUE-IN', '4.m4s'];
  expect(at(13, 'cue')).toEqual(all);
  expect(at(24, 'cue', airs(channelOf(), 10)).slice(0, 5)).toEqual([...continued(3), ...continued(4), '#EXT-X-CUE-IN']);
  expect(at(13, 'both').filter((line) => !line.includes('DATERANGE'))).toEqual(all);
});

test('a break that an operator has ended keeps its announced length and ends where it ended', () => {
  const order = { id: 'o', kind: 'ads', startsAt: START + 100_000, duration: 30 } as const;
  const began = operated(channelOf(), [order], START + 30_000);
  const isIt = (span: Span) => isBreakSpan(span) && span.insertedId === 'o';
  const spans = (of: SyntheticChannel) => of.programme.spansBetween(millis(START + 90_000), millis(START + 160_000));
  const { placed } = spans(began).find(isIt)!;
  const ended = operated(began, [{ ...order, isOver: true }], placed.startsAt + 12_000);
  const after = spans(ended).find(isIt)!.placed.endsAt;
  const length = (after - placed.startsAt) / 1000;
  expect(length).toBeLessThan(20);
  const lines = at((after - START) / 1000 + 6, 'both', airs(ended, 40));
  const { breaks } = readTags(
    channelMediaText(channelView(airs(ended, 40), millis(after + 6000)), 0, { dialect: 'both', ahead: 0 }),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^#EXT-X-CUE-OUT:30\.0$/));
  expect(lines).toContainEqual(expect.stringContaining(`,DURATION=${length.toFixed(1)},SCTE35-IN=`));
  const found = breaks.find(({ duration }) => duration === secondsToFlicks(30))!;
  expect(flicksToSeconds(found.until!) - flicksToSeconds(found.at)).toBeCloseTo(length, 3);
});

test('a live break states a UPID, and no length if its end was not announced', () => {
  const airing = airs(channelOf(), 20);
  const spans = airing.programme.spansBetween(millis(START + 6000), millis(START + 12_000));
  const { break: own, ...span } = spans.find(isBreakSpan)!;
  const { startsAt } = span.placed;
  const place = { id: '7-0', startsAt, duration: secondsToFlicks(180), isOpenEnded: true, upid: 'a b' } as const;
  const live = { ...span, within: place, memos: noMemos() };
  const window = windowAt([live, spans.at(-1)!], startsAt, millis(START + 13_000));
  const markers = { dialect: 'both', upcoming: [] } as const;
  const shift = freshOdometer(airing.ladder.rungs.length);
  const [range, message, asset, out, , continued] = shown(
    writeMedia(window, 0, shift, { ladder: airing.ladder, markers }),
  );
  expect(range).not.toContain('PLANNED-DURATION');
  expect(readPayload(message!.replace(/^[^:]*:/, ''))).not.toHaveProperty('command.duration');
  expect([asset, out]).toEqual(['#EXT-X-ASSET:CAID=a%20b', '#EXT-X-CUE-OUT']);
  expect(continued).toMatch(/^#EXT-X-CUE-OUT-CONT:ElapsedTime=1\.0,SCTE35=/);
});

test("sessions' playlists and their updates mark breaks like the channel, whatever a viewer is shown in them", async () => {
  const asset = syntheticAsset({ name: 'long', segments: new Array<number>(40).fill(50) });
  const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 40, maxDuration: 30 }] }], START);
  const airing = airs(channel, 60, { markersOut: 'both', markersOutAhead: 0 });
  const decider = randomDecider(() => channel, seededRandom(3));
  const viewer = viewerOf(airing, START + 60_000);
  const updates = new DeltaWitness();
  for (let now = START + 60_000; now < START + 400_000; now += 2000) {
    const view = await viewAt(airing, viewer, decider, millis(now));
    const text = hlsOf(view, 0);
    updates.check(text, hlsDeltaOf(view, 0));
    if (view.to < now - 1000) continue;
    const own = channelMediaText(channelView(airing, millis(now)), 0, { dialect: 'both', ahead: 0 });
    const [found, expected] = [text, own].map((each) => readTags(each).breaks.map(({ duration }) => duration));
    expect(found).toEqual(expected);
    expect(text.match(/^#EXT-X-CUE-OUT:.*/gm)).toEqual(own.match(/^#EXT-X-CUE-OUT:.*/gm));
    const mpd = mpdOf(view);
    for (const [, message] of text.matchAll(/^#EXT-OATCLS-SCTE35:(.*)$/gm))
      expect(mpd.split(`>${message}<`), 'law 2').toHaveLength(2);
  }
  expect(updates.updates).toBeGreaterThan(0);
});
