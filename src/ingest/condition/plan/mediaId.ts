import { createHash } from 'node:crypto';
import { memo } from '../../../cache/memo.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { planEncode } from './planEncode.ts';

/** Changes whenever the recipe does, so that media of an older recipe are made anew. */
const RECIPE = 2;

/** What of a ladder decides how media for it are made, as a text: equal texts, equal media. Languages are not in it. */
export const ladderKey = memo((ladder: Ladder): string => {
  const { container, frameRate } = ladder;
  return JSON.stringify([RECIPE, container, frameRate.n, frameRate.d, planEncode(ladder)]);
});

/** The name of the media made of a creative (or slate) for a ladder: 32 hexadecimal digits that say nothing. */
export const mediaId = (kind: 'creative' | 'slate', key: string, ladder: Ladder): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, key, ladderKey(ladder)]))
    .digest('hex')
    .slice(0, 32);
