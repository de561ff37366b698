// SPDX-License-Identifier: Apache-2.0
// One viewer of a synthetic channel that begins with a break; the test sets the durations of its ads.
import { type View, viewAt } from '../../src/playback/view/view.ts';
import { millis } from '../../src/time/units.ts';
import { isBreakSpan, spanStart } from '../../src/timeline/programme/span.ts';
import { airingOf, decide, syntheticChannel, viewerOf } from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';

export const START = Date.parse('2026-03-01T00:00:00.000Z');

type Shape = {
  /** The duration of each ad. */
  readonly seconds: readonly number[];
  readonly breakSeconds: number;
  /** Milliseconds after the channel's start. */
  readonly at: number;
  /** The length of the window in milliseconds. */
  readonly depth?: number;
};

const rate = { n: 25, d: 1 };
const idle = { begin: () => {}, settle: async () => {} };

export async function decidedView({ seconds, breakSeconds, at, depth = 60_000 }: Shape): Promise<View> {
  const asset = syntheticAsset({ name: 'video', rate, segments: new Array<number>(10).fill(50) });
  const cuePoints = [{ spliceTime: 0, maxDuration: breakSeconds }];
  const channel = syntheticChannel([{ asset, cuePoints }], START);
  const airing = airingOf(channel, depth / 1000);
  const viewer = viewerOf(airing, START);
  const [span] = channel.programme.spansBetween(millis(START), millis(START + 1)).filter(isBreakSpan);
  const { id } = span!.break;
  const ads = seconds.map((duration, index) => ({
    adId: `${id}-${index}`,
    mediaId: `m${index}x${25 * duration}`,
    frames: 25 * duration,
  }));
  decide(channel, viewer, span!, { breakId: id, startsAt: spanStart(span!), joined: 0, ads });
  return viewAt(airing, viewer, idle, millis(START + at));
}
