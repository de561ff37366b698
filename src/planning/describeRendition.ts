// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../invariant.ts';
import type { Rendition } from '../timeline/asset/asset.ts';

export type DescribedRendition = Pick<Rendition, 'kind' | 'codecs' | 'bandwidth' | 'width' | 'height' | 'language'> & {
  readonly framesPerSecond?: number;
};

export const describeRendition = (rendition: Omit<Rendition, 'tracks' | 'id'>): DescribedRendition => {
  const { kind, codecs, bandwidth, width, height, language, frameRate } = rendition;
  const framesPerSecond = frameRate && Math.round((frameRate.n / frameRate.d) * 1000) / 1000;
  return { kind, codecs, bandwidth, ...withoutUndefined({ width, height, language, framesPerSecond }) };
};
