// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import {
  airingOf,
  decide,
  hlsOf,
  placeDecisions,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { type Millis, millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import { type BreakDecider, viewAt } from '../view/view.ts';
import { DECISION_TIMEOUT_MS } from './breaks.ts';
import type { Viewer } from './viewers.ts';
import { mayHaveMissed } from './viewers.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const SECOND = 1000;
const video = { name: 'a', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: new Array(10).fill(50), qualities: 1 };
const items = [{ asset: syntheticAsset(video), cuePoints: [{ spliceTime: 10, maxDuration: 3 }] }];

/** A channel with breaks of three seconds, all decided by another node. */
function decidedChannel() {
  const channel = syntheticChannel(items, start);
  const viewer = viewerOf(channel, start);
  const spans = channel.programme.spansBetween(millis(start), millis(start + 200 * SECOND));
  for (const span of spans.filter((one) => one.break !== undefined)) {
    const ads = [{ adId: `${span.id}-0`, mediaId: 'ad-x50', frames: 50 }];
    decide(channel, viewer, span, { breakId: span.id, startsAt: spanStart(span), joined: 0, ads });
  }
  return { channel, all: viewer.state };
}

test.each([10, 60])(
  'a node knows every decision in a window of %i s, or reads the viewer again',
  async (playlistSize) => {
    const { channel, all } = decidedChannel();
    const airing = airingOf(channel, playlistSize);
    const stored = (viewer: Viewer): Viewer => {
      viewer.state = all;
      placeDecisions(channel, viewer);
      return viewer;
    };
    const decider: BreakDecider = {
      begin: () => {},
      settle: async (_, viewer) => void stored(viewer),
    };
    const playlistAt = async (viewer: Viewer, at: Millis) => hlsOf(await viewAt(airing, viewer, decider, at), 0);
    let kept = 0;
    for (let seen = 70; seen < 100; seen += 3) {
      for (let unseen = 1; unseen < 70; unseen += playlistSize / 10) {
        const [seenUntil, now] = [millis(start + seen * SECOND), millis(start + (seen + unseen) * SECOND)];
        const viewer = viewerOf(channel, start);
        // The edge may have waited for the decision of a break that has begun before.
        const known = all.decisions.filter(({ startsAt }) => startsAt < seenUntil - DECISION_TIMEOUT_MS);
        viewer.state = { ...all, decisions: known };
        placeDecisions(channel, viewer);
        viewer.seenUntil = seenUntil;
        if (mayHaveMissed(viewer, airing, now)) continue;
        kept += 1;
        expect(await playlistAt(viewer, now)).toBe(await playlistAt(stored(viewerOf(channel, start)), now));
      }
    }
    expect(kept).toBeGreaterThan(15);
  },
);

test('after a hole of the timeline, a viewer is read again once', () => {
  const { channel } = decidedChannel();
  const airing = airingOf(channel, 60);
  const continued = { ...airing, programme: { ...airing.programme, historyFrom: millis(start + 2000) } };
  const viewer = viewerOf(channel, start);
  viewer.seenUntil = millis(start + 1000);
  expect(mayHaveMissed(viewer, continued, millis(start + 3000))).toBe(true);
  viewer.seenUntil = millis(start + 3000);
  expect(mayHaveMissed(viewer, continued, millis(start + 4000))).toBe(false);
});
