// SPDX-License-Identifier: Apache-2.0
// Creatives with unusual or faulty media.
import { creative, type FaultCase, shown, skips } from './faultCase.ts';

export const mediaFaults: readonly FaultCase[] = [
  { name: 'media: 404', prepare: creative('gone.mp4'), outcome: skips('CREATIVE_FAILED', 401, '404') },
  { name: 'media: an empty file', prepare: creative('nothing.mp4'), outcome: skips('CREATIVE_FAILED', 405) },
  { name: 'media: a web page', prepare: creative('page.mp4'), outcome: skips('CREATIVE_FAILED', 405) },
  { name: 'media: noise', prepare: creative('noise.mp4'), outcome: skips('CREATIVE_FAILED', 405) },
  { name: 'media: truncated', prepare: creative('cut.mp4'), outcome: skips('CREATIVE_FAILED', 405) },
  { name: 'media: 0.4 s', prepare: creative('short.mp4'), outcome: skips('CREATIVE_FAILED', 202, '0.4') },
  {
    name: 'media: ten minutes',
    prepare: creative('tenMinutes.mp4'),
    outcome: skips('CREATIVE_FAILED', 202, '610', '600'),
  },
  { name: 'media: 4K HEVC', prepare: creative('hevc4k.mp4'), outcome: shown },
  { name: 'media: portrait', prepare: creative('vertical.mp4'), outcome: shown },
  { name: 'media: a rotated phone video', prepare: creative('rotated.mp4'), outcome: shown },
  { name: 'media: no audio', prepare: creative('silent.mp4'), outcome: shown },
  { name: 'media: 5.1 audio', prepare: creative('surround.mp4'), outcome: shown },
  { name: 'media: a variable frame rate', prepare: creative('variable.mp4'), outcome: shown },
  { name: 'media: 12 frames per second', prepare: creative('slowMotion.mp4'), outcome: shown },
  { name: 'media: WebM', prepare: creative('webm.webm', { type: 'video/webm' }), outcome: shown },
];
