// SPDX-License-Identifier: Apache-2.0
// The presentations of a two-hour film: 1,200 segments of six seconds in six renditions, and twelve breaks. No two viewers
// have the same ads, nor breaks of the same lengths.
import { type ClipMaker, clipMakerFor } from '../src/ads/placement/breakClips.ts';
import { clipIdOf } from '../src/ads/placement/decision.ts';
import { type Flicks, flicks, millis } from '../src/time/units.ts';
import { type FrozenBreak, layOut, type Presentation } from '../src/vod/layOut.ts';
import { makeTitle, type Title } from '../src/vod/title.ts';
import { syntheticAsset, syntheticMedia } from '../test/laws/syntheticMedia.ts';
import { seededRandom } from '../test/seededRandom.ts';

const RATE = { n: 25, d: 1 };
const SEGMENTS = 1200;
const BREAKS = 12;
/** Seconds of the creatives. */
const LENGTHS = [10, 15, 20, 30];
const START = Date.parse('2026-03-01T00:00:00.000Z');

export function film(): Title {
  const asset = syntheticAsset({
    ...{ name: 'film', rate: RATE, sampleRate: 48_000, qualities: 5 },
    segments: new Array<number>(SEGMENTS).fill(150),
  });
  const title = makeTitle([{ key: 'film', asset }]);
  if ('misfits' in title) throw new Error('The film does not fit its own ladder.');
  return title;
}

/** Media ids end with their frames. */
export const clipMaker = ({ ladder }: Title): ClipMaker =>
  clipMakerFor(ladder, (id) => syntheticMedia(id, Number(id.split('x')[1]), ladder));

/** The ads of viewer `n`: two or three in each break, of `creatives` creatives. */
export function breaksOf(title: Title, n: number, creatives: number): FrozenBreak[] {
  const random = seededRandom(n);
  const { cutPoints } = title.items[0]!.asset.parts[0]!;
  return Array.from({ length: BREAKS }, (_, index) => {
    const id = `0-${index + 1}`;
    const ads = Array.from({ length: random() < 0.5 ? 2 : 3 }, (_, ad) => {
      const creative = Math.floor(random() * creatives);
      const frames = LENGTHS[creative % LENGTHS.length]! * RATE.n;
      return { adId: clipIdOf(id, ad), mediaId: `creative${creative}x${frames}`, frames };
    });
    const at: Flicks = flicks(cutPoints[index * (SEGMENTS / BREAKS)]!);
    return { id, at, ads };
  });
}

/** The presentation of viewer `n`, whose session was opened at an instant of its own. */
export const layOutFor = (title: Title, clips: ClipMaker, n: number, breaks: readonly FrozenBreak[]): Presentation =>
  layOut(title, { breaks }, clips, millis(START + 977 * n));
