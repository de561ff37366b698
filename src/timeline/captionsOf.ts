import type { Asset } from './asset.ts';
import type { Caption } from './caption.ts';
import { hasVideo } from './renditionKind.ts';

/**
 * What may be told of the pictures of all these assets: the channels that some of them have; none, when all their sources
 * say that there are none; undefined when that is not known.
 */
export function captionsOf(assets: readonly Asset[]): readonly Caption[] | undefined {
  const told = assets.flatMap(({ renditions }) =>
    renditions.filter(({ kind }) => hasVideo(kind)).map(({ captions }) => captions),
  );
  const found = new Map<string, Caption>();
  for (const caption of told.flatMap((captions) => captions ?? [])) {
    if (!found.has(caption.channel)) found.set(caption.channel, caption);
  }
  return found.size > 0 || (told.length > 0 && !told.includes(undefined)) ? [...found.values()] : undefined;
}
