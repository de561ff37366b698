// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '../asset/asset.ts';
import type { Caption } from '../asset/caption.ts';
import { hasVideo } from '../asset/renditionKind.ts';

/**
 * The caption channels that at least one of the assets has; empty when all their sources declare that there are none;
 * undefined when that is unknown.
 */
export function captionsOf(assets: readonly Asset[]): readonly Caption[] | undefined {
  const declared = assets.flatMap(({ renditions }) =>
    renditions.filter(({ kind }) => hasVideo(kind)).map(({ captions }) => captions),
  );
  const found = new Map<string, Caption>();
  for (const caption of declared.flatMap((captions) => captions ?? [])) {
    if (!found.has(caption.channel)) found.set(caption.channel, caption);
  }
  return found.size > 0 || (declared.length > 0 && !declared.includes(undefined)) ? [...found.values()] : undefined;
}
