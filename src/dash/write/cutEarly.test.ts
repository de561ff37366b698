// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { fitToEnd } from '../../ads/placement/fitToEnd.ts';
import { framesToFlicks } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { representationRow } from './writeSegments.ts';

const rate = { n: 25, d: 1 };
const ladder = ladderOf([syntheticAsset({ name: 'a', rate, sampleRate: 48_000, segments: [50, 50], qualities: 1 })]);
const clips = clipsFor(ladder);
const slate = (frames: number): Clip => clips.slate('slate', frames);

/** Start and duration of the first `count` segments of a rung, in ticks after the start of the Period. */
function listed(clip: Clip, rung: number, count: number): (readonly [number, number])[] {
  const cell = clip.cells[rung]!;
  const row = representationRow('r', clip, cell, cell.first, cell.first + count);
  const segments = row.runs.flatMap(({ t, d, count: times }) =>
    Array.from({ length: times }, (_, index) => [t + index * d - row.presentationTimeOffset, d] as const),
  );
  return segments;
}

test.each(ladder.rungs.map(({ id }, rung) => [id, rung] as const))(
  'segments of %s that are listed keep their places when the break ends early',
  (_, rung) => {
    for (const clip of [slate(3000), clips.ad('mx125', 125)]) {
      for (let frames = 40; frames < 120; frames += 1) {
        const [head, filler] = fitToEnd([{ at: 0, clip }], framesToFlicks(frames, rate), rate, slate);
        if (filler === undefined) continue;
        const { first, end } = head!.clip.cells[rung]!;
        expect(listed(head!.clip, rung, end - first)).toEqual(listed(clip, rung, end - first));
      }
    }
  },
);
