// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readHls, readMpd } from '../../../test/laws/readBack.ts';
import { airingOf, decide, hlsOf, mpdOf, syntheticChannel, viewerOf } from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { emptyBreak } from '../../../test/vast/richAd.ts';
import { millis } from '../../time/units.ts';
import { type BreakSpan, isBreakSpan, spanStart } from '../../timeline/programme/span.ts';
import { ownBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { availsOf } from './availsOf.ts';
import { presentationZero } from './openSession.ts';
import { viewAt } from './view.ts';

const start = Date.parse('2026-03-01T00:00:00.000Z');
const rate = { n: 25, d: 1 };
const asset = twoSecondAsset('a', 10);
const cuePoints = [0, 6, 14].map((spliceTime) => ({ spliceTime, maxDuration: 10 }));
const channel = syntheticChannel([{ asset, cuePoints }], start);
const airing = airingOf(channel, 60);
const idle = { begin: () => {}, settle: async () => {} };

const breaksFrom = (from: number, to: number): BreakSpan[] =>
  channel.programme.spansBetween(millis(from), millis(to)).filter(isBreakSpan);

/** Fills a break with ads of these lengths, in frames. */
function fill(viewer: Viewer, span: BreakSpan, ...lengths: number[]): void {
  const { joined } = ownBreak(span, viewer.session, rate, channel.programme)!;
  const ads = lengths.map((frames, index) => ({
    adId: `${span.id}-${index + (joined > 0 ? 1 : 0)}`,
    mediaId: `m${index}x${frames}`,
    frames,
  }));
  decide(channel, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined, ads });
}

const recordsOf = (viewer: Viewer) =>
  viewer.state.decisions.map(({ breakId, startsAt }) => emptyBreak(breakId, new Date(startsAt).toISOString()));
const availsAt = (viewer: Viewer, at: number, format: 'hls' | 'dash' = 'hls') =>
  availsOf(airing, viewer.state, recordsOf(viewer), millis(at), format);

test('the id of an avail is the one that manifests use at its start, also for viewers who join during a break', async () => {
  const viewer = viewerOf(airing, start + 63_000);
  const lengths = [[75, 100], [50], [], [150], [60, 60, 60]];
  const breaks = breaksFrom(start + 63_000, start + 140_000).slice(0, lengths.length);
  for (const [index, span] of breaks.entries()) {
    if (ownBreak(span, viewer.session, rate, channel.programme) !== undefined) fill(viewer, span, ...lengths[index]!);
  }
  for (const at of [start + 90_000, start + 110_000, start + 135_000]) {
    const avails = availsAt(viewer, at);
    const view = await viewAt(airing, viewer, idle, millis(at));
    const { segments } = readHls(hlsOf(view, 0));
    const shown = avails.flatMap(({ availId, record }) => {
      const found = segments.find(({ date }) => date === Date.parse(record.startsAt));
      return found === undefined ? [] : [[availId, String(found.number)]];
    });
    expect(shown.length).toBeGreaterThan(1);
    for (const [availId, listed] of shown) expect(availId).toBe(listed);
    const periods = readMpd(mpdOf(view));
    for (const { availId, record } of availsAt(viewer, at, 'dash')) {
      const found = periods.find(({ start: begins }) => begins === Date.parse(record.startsAt));
      if (found !== undefined) expect(availId).toBe(found.id);
    }
  }
});

test('in HLS a break is omitted while its number could still change', () => {
  const now = start + 60_000;
  const viewer = viewerOf(airing, now);
  const [first, second, third] = breaksFrom(now + 5000, now + 120_000);
  fill(viewer, second!, 75);
  fill(viewer, third!, 75);
  const at = spanStart(first!) - 1000;
  expect(availsAt(viewer, at)).toEqual([]);
  expect(availsAt(viewer, at, 'dash').map(({ record }) => record.id)).toEqual([second!.id, third!.id]);
  fill(viewer, first!, 50, 50);
  const numbers = availsAt(viewer, at).map(({ availId }) => availId);
  expect(numbers).toHaveLength(3);
  expect(availsAt(viewer, at + 30_000).map(({ availId }) => availId)).toEqual(numbers);
});

test('presentation times count from the first segment of the first playlist, under its number', async () => {
  for (const openedAt of [start + 1900, start + 30_100, start + 63_000, start + 400_000]) {
    const viewer = viewerOf(airing, openedAt);
    const { segments } = readHls(hlsOf(await viewAt(airing, viewer, idle, millis(openedAt)), 0));
    const zero = presentationZero(airing, viewer.session);
    expect(zero).toEqual({ at: segments[0]!.date, number: segments[0]!.number });
  }
});

test('for a session that starts in the past, times count from that start', async () => {
  const openedAt = start + 400_000;
  const viewer = viewerOf(airing, openedAt);
  const reach = { playlistSize: 60, timeShiftWindow: 200 };
  const session = { ...viewer.session, reach, start: millis(openedAt - 150_000) };
  const moved = { ...viewer, session, state: { ...viewer.state, session } };
  const { segments } = readHls(hlsOf(await viewAt(airing, moved, idle, millis(openedAt)), 0));
  expect(presentationZero(airing, session)).toEqual({ at: segments[0]!.date, number: segments[0]!.number });
  expect(openedAt - segments[0]!.date).toBeGreaterThan(148_000);
});
