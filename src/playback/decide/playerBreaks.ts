// SPDX-License-Identifier: Apache-2.0
// The break records of a session for players' requests, without the parts for operators. Players request them as often as
// manifests. Each is read once and cached: a record changes only when a live break ends early, and then the cached one is cut in
// the same way (view/availsOf.ts).
import { LRUCache } from 'lru-cache';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { memo } from '../../cache/memo.ts';
import type { SessionState, SessionStore } from '../../sessions/ports.ts';

/** Records of a few kilobytes each. */
const MAX_CACHED = 3000;

/** The ad response alone may have 64 KB. */
const withoutTrace = ({ request: _, response: __, wrappers: ___, ads, ...rest }: BreakRecord): BreakRecord => ({
  ...rest,
  warnings: [],
  ads: ads.filter(({ outcome }) => outcome === 'stitched'),
});

type ShownBreaks = Pick<SessionState, 'session'> & {
  readonly decisions: readonly { readonly breakId: string; readonly startsAt: number }[];
};

/** One for each store. */
export const playerBreaksOf = memo(({ findBreak }: Pick<SessionStore, 'findBreak'>) => {
  const cache = new LRUCache<string, BreakRecord>({ max: MAX_CACHED });
  /** Caches the record that this process has stored. */
  function keep(sessionId: string, breakId: string, record: BreakRecord): BreakRecord {
    const trimmed = withoutTrace(record);
    cache.set(`${sessionId} ${breakId}`, trimmed);
    return trimmed;
  }
  async function readOne(sessionId: string, breakId: string): Promise<BreakRecord[]> {
    const known = cache.get(`${sessionId} ${breakId}`);
    if (known !== undefined) return [known];
    const record = await findBreak(sessionId, breakId);
    return record === undefined ? [] : [keep(sessionId, breakId, record)];
  }
  return {
    keep,
    /** @returns the records of a session, oldest first */
    async read({ session, decisions }: ShownBreaks): Promise<BreakRecord[]> {
      const inOrder = [...decisions].sort((a, b) => a.startsAt - b.startsAt);
      return (await Promise.all(inOrder.map(({ breakId }) => readOne(session.id, breakId)))).flat();
    },
  };
});
