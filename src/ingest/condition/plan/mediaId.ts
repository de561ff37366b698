// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { memo } from '../../../cache/memo.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { planEncode } from './planEncode.ts';

/** To be increased when encodes change, so that existing media are made again. */
const RECIPE = 3;

/** For each ladder. Keys may be URLs, of which there are many. */
const MAX_KNOWN_IDS = 1000;

/** To be increased when the picture of the built-in slate changes, so that existing channels get the new one. */
const CARD = 1;

/** Everything in a ladder that affects how media are made for it, as text. Languages do not. */
export const ladderKey = memo((ladder: Ladder): string => {
  const { container, frameRate } = ladder;
  return JSON.stringify([RECIPE, container, frameRate.n, frameRate.d, planEncode(ladder)]);
});

/** Each creative of a response is looked up several times for each viewer. */
const knownIds = memo((_: Ladder) => new LRUCache<string, string>({ max: MAX_KNOWN_IDS }));

/** The id of the media made of a creative or slate for a ladder: 32 hexadecimal digits that reveal nothing about them. */
export function mediaId(kind: 'creative' | 'slate', key: string, ladder: Ladder): string {
  const ids = knownIds(ladder);
  const name = `${kind} ${key}`;
  const known = ids.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify([kind, key, ladderKey(ladder)]);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32);
  ids.set(name, id);
  return id;
}

/** @param url of the channel's own slate; absent for the built-in one */
export const slateId = (url: string | undefined, ladder: Ladder): string =>
  mediaId('slate', url ?? `card ${CARD}`, ladder);
