// SPDX-License-Identifier: Apache-2.0
// The ad server and the creatives of the soak. The id of a medium contains the number of its ladder and its length: `m0x125` has
// 125 frames, for ladder 0.
import type { CreativeLibrary, CreativeState } from '../../../src/ads/creative/creative.ts';
import type { FindMedia } from '../../../src/ads/placement/breakClips.ts';
import type { AdRequestOutcome } from '../../../src/ads/record/breakRecord.ts';
import type { AdRequestDeps } from '../../../src/playback/request/adRequests.ts';
import { sleep, type Timers } from '../../../src/time/clock.ts';
import type { Ladder } from '../../../src/timeline/ladder/ladder.ts';
import { readVast } from '../../../src/vast/read/readVast.ts';
import type { InLineAd } from '../../../src/vast/response.ts';
import { syntheticMedia } from '../syntheticMedia.ts';

export const mediaId = (ladder: number, frames: number): string => `m${ladder}x${frames}`;
export const slateOf = (ladder: number): string => mediaId(ladder, 0);

export const findMediaIn =
  (ladders: readonly Ladder[]): FindMedia =>
  (id) => {
    const [, ladder, frames] = /^m(\d+)x(\d+)$/.exec(id) ?? [];
    return ladder === undefined ? undefined : syntheticMedia(id, Number(frames), ladders[Number(ladder)]!);
  };

/** Sessions have target durations of their own, which media do not depend on. */
const textOf = ({ targetDuration: _, ...ladder }: Ladder): string => JSON.stringify(ladder);

/** The name of a file is its length in frames. Conditioning a `lost` file fails. */
export function libraryFor(ladders: readonly Ladder[]): CreativeLibrary {
  const ready = (frames: number, ladder: Ladder): CreativeState => {
    const index = ladders.findIndex((one) => textOf(one) === textOf(ladder));
    const media = findMediaIn(ladders)(mediaId(index, frames));
    if (media === undefined) throw new Error(`No feed has the ladder ${textOf(ladder)}.`);
    return { state: 'ready', media };
  };
  const stateOf = (key: string, ladder: Ladder): CreativeState => {
    const [, frames] = /f(\d+)\.mp4/.exec(key) ?? [];
    if (frames === undefined) return { state: 'failed', reason: 'The file cannot be fetched.' } as CreativeState;
    return ready(Number(frames), ladder);
  };
  return {
    prepare: (key, _, ladder) => stateOf(key, ladder),
    settled: async (key, ladder) => stateOf(key, ladder),
    slate: async (ladder) => ready(0, ladder),
    slateQueue: () => undefined,
  };
}

const known = new Map<string, InLineAd>();

function adOf(file: string): InLineAd {
  const frames = Number(file.slice(1)) || 25;
  const ad = known.get(file);
  if (ad !== undefined) return ad;
  const duration = `00:00:${String(frames / 25).padStart(2, '0')}`;
  const media = `<MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://c.example/${file}.mp4</MediaFile>`;
  const read = readVast(
    `<VAST version="4.2"><Ad id="${file}"><InLine><AdSystem/><AdTitle>${file}</AdTitle><Creatives><Creative><Linear><Duration>${duration}</Duration><MediaFiles>${media}</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`,
  );
  if ('reason' in read) throw new Error(read.reason);
  known.set(file, read.ads[0] as InLineAd);
  return known.get(file)!;
}

/** Up to four ads of 1 to 16 s, at once or late. */
export const adServerOf =
  (timers: Timers, random: () => number, onRequest: () => void): AdRequestDeps['requestAds'] =>
  async () => {
    onRequest();
    const count = Math.floor(5 * random());
    const files = ['lost', ...Array.from({ length: count }, () => `f${25 * Math.ceil(16 * random())}`)];
    const request = { url: 'https://ads.example/vast', status: 200, ms: 1 };
    const ads = files.map((file) => ({ ad: adOf(file) }));
    const outcome: AdRequestOutcome = { request, warnings: [], ads, dropped: [], errors: [] };
    await sleep(timers, random() < 0.85 ? 600 * random() : 5000 * random());
    return outcome;
  };
