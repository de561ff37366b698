// One viewer of a synthetic channel that begins with a break, whose ads last as long as asked for.
import { type View, viewAt } from '../../src/playback/view/view.ts';
import { millis } from '../../src/time/units.ts';
import { spanStart } from '../../src/timeline/span.ts';
import { airingOf, decide, syntheticChannel, viewerOf } from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';

export const START = Date.parse('2026-03-01T00:00:00.000Z');

type Shape = {
  /** Of each ad. */
  readonly seconds: readonly number[];
  readonly breakSeconds: number;
  /** Milliseconds after the channel's start. */
  readonly at: number;
  /** Milliseconds that the window reaches back. */
  readonly depth?: number;
};

const rate = { n: 25, d: 1 };
const idle = { begin: () => {}, settle: async () => {} };

export async function decidedView({ seconds, breakSeconds, at, depth = 60_000 }: Shape): Promise<View> {
  const asset = syntheticAsset({
    name: 'film',
    rate,
    sampleRate: 48_000,
    segments: new Array<number>(10).fill(50),
    qualities: 1,
  });
  const cuePoints = [{ spliceTime: 0, maxDuration: breakSeconds }];
  const channel = syntheticChannel([{ asset, cuePoints }], START);
  const viewer = viewerOf(channel, START);
  const [span] = channel.programme.spansBetween(millis(START), millis(START + 1));
  const { id } = span!.break!;
  const ads = seconds.map((length, index) => ({
    adId: `${id}-${index}`,
    mediaId: `m${index}x${25 * length}`,
    frames: 25 * length,
  }));
  decide(channel, viewer, span!, { breakId: id, startsAt: spanStart(span!), joined: 0, ads });
  return viewAt(airingOf(channel, depth / 1000), viewer, idle, millis(START + at));
}
