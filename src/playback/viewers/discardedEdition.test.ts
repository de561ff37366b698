// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import {
  airingOf,
  decide,
  edited,
  hlsOf,
  placeDecisions,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { scheduleProgramme } from '../../channels/schedule/scheduleProgramme.ts';
import { millis } from '../../time/units.ts';
import { spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { viewAt } from '../view/view.ts';
import { choicesOf } from './choicesOf.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const item = (name: string) => ({
  asset: syntheticAsset({
    name,
    rate: { n: 25, d: 1 },
    sampleRate: 48_000,
    segments: new Array(10).fill(50),
    qualities: 1,
  }),
  cuePoints: [{ spliceTime: 10, maxDuration: 10 }],
});

// A node that has been running for longer may still have an edition that a restarted one no longer reads (law 8).
test('discarding an edition changes no sequence number, whether its breaks were shown or taken off the schedule', () => {
  const first = syntheticChannel([item('a')], start);
  const all = edited(first, [{ ...item('b'), cuePoints: [] }], start + 100_000);
  const editions = all.lineup.editions.slice(1);
  const later = { ...all, programme: scheduleProgramme({ ...all.lineup, editions }) };
  const { historyFrom } = later.programme;
  const viewer = viewerOf(first, start);
  const breaks = first.programme
    .spansBetween(millis(start), millis(start + 200_000))
    .filter((span) => span.break !== undefined);
  for (const span of breaks) {
    const ads = [{ adId: `${span.id}-0`, mediaId: 'ad-x120', frames: 120 }];
    decide(first, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  }
  const shown = breaks.filter((span) => spanEnd(span) <= historyFrom);
  expect([shown.length > 0, shown.length < breaks.length]).toEqual([true, true]);

  const stored = viewer.state;
  const decider = { begin: () => {}, settle: async () => {} };
  const playlists = [all, later].map((channel) => {
    viewer.state = stored;
    placeDecisions(channel, viewer);
    const view = viewAt(airingOf(channel, 60), viewer, decider, millis(historyFrom + 70_000));
    if (view instanceof Promise) throw new Error('the view waited for a decision');
    return hlsOf(view, 0);
  });
  expect(playlists[1]).toBe(playlists[0]);
});

test('decisions for breaks that left the schedule show nothing and change no sequence number (law 3)', () => {
  const channel = syntheticChannel([item('a')], start);
  const airing = airingOf(channel, 60);
  const viewer = viewerOf(channel, start);
  const spans = channel.programme.spansBetween(millis(start), millis(start + 100_000));
  const span = spans.find((one) => one.break !== undefined)!;
  const ads = [{ adId: 'one', mediaId: 'ad-x120', frames: 120 }];
  decide(channel, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  const { state } = viewer;
  expect(choicesOf(airing, state).decided).toHaveLength(1);
  const decisions = state.decisions.map((one) => ({ ...one, isVoid: true }));
  expect(choicesOf(airing, { ...state, decisions })).toEqual(choicesOf(airing, { ...state, decisions: [] }));
});
