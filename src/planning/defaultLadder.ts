// SPDX-License-Identifier: Apache-2.0
// The ladder of a channel that shows slate because it has nothing to play yet.
import type { Ladder } from '../timeline/ladder/ladder.ts';

export const defaultLadder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  rungs: [
    {
      id: 'v0',
      kind: 'video',
      codecs: 'avc1.64001f',
      bandwidth: 1_600_000,
      averageBandwidth: 1_400_000,
      width: 1280,
      height: 720,
    },
    {
      id: 'v1',
      kind: 'video',
      codecs: 'avc1.64001e',
      bandwidth: 800_000,
      averageBandwidth: 700_000,
      width: 640,
      height: 360,
    },
    {
      id: 'a0',
      kind: 'audio',
      codecs: 'mp4a.40.2',
      bandwidth: 130_000,
      averageBandwidth: 128_000,
      sampleRate: 48_000,
      channels: 2,
      language: 'und',
    },
  ],
  targetDuration: 6,
};
