// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import {
  airingOf,
  decide,
  foldDecisions,
  hlsOf,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { ColumnWitness } from '../../../test/laws/witness.ts';
import { millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import { viewAt } from '../view/view.ts';
import { foldBefore } from './decisionRecorder.ts';

const rate = { n: 25, d: 1 };
const start = Date.parse('2026-03-01T00:00:00Z');
const minute = 60_000;

test('a break of ten minutes keeps its ads until it has left the window, while later breaks are decided', async () => {
  const asset = syntheticAsset({
    name: 'video',
    rate,
    sampleRate: 48_000,
    segments: new Array(5).fill(50),
    qualities: 1,
  });
  const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 10, maxDuration: 600 }] }], start);
  const viewer = viewerOf(channel, start + minute);
  const seen = new ColumnWitness('v0', rate);
  const decider = {
    settle: async () => {},
    begin(
      _airing: unknown,
      _viewer: unknown,
      { span, joined }: { span: Parameters<typeof decide>[2]; joined: number },
    ) {
      const { id, frames } = span.break!;
      const ad = Math.floor((frames - joined) / 2);
      const ads = [{ adId: `${id}-0`, mediaId: `m1x${ad}`, frames: ad }];
      decide(channel, viewer, span, { breakId: id, startsAt: spanStart(span), joined, ads });
      foldDecisions(channel, viewer, foldBefore(viewer.choices, spanStart(span) - 4 * minute));
    },
  };
  for (let now = start + minute; now < start + 40 * minute; now += 4000) {
    const view = await viewAt(airingOf(channel, 60), viewer, decider, millis(now));
    expect(() => seen.check(hlsOf(view, 0), now)).not.toThrow();
  }
  expect(viewer.state.decisions.length).toBeLessThan(4);
});

test('decisions of breaks that have left every window may be folded', () => {
  expect(foldBefore({ decided: [], odometer: { segments: [], discontinuities: 0 } }, 5000)).toBe(5000);
  expect(foldBefore({ decided: [], odometer: { segments: [], discontinuities: 0 } }, -1)).toBe(0);
});
