// The stories of the breaks that a session remembers, without what only an operator reads. Players ask for them as often as
// for manifests, and a story is written once: it is read once, and kept while it is asked for.
import { LRUCache } from 'lru-cache';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { SessionState, SessionStore } from '../../sessions/ports.ts';

/** A few kilobytes each. */
const MOST_KEPT = 3000;

/** The ad server's answer alone may have 64 KB. */
const essence = ({ request: _, response: _raw, wrappers: _asked, ads, ...rest }: BreakRecord): BreakRecord => ({
  ...rest,
  warnings: [],
  ads: ads.filter(({ outcome }) => outcome === 'stitched'),
});

/** @returns what reads them, oldest first */
export function createPlayerBreaks({ findBreak }: Pick<SessionStore, 'findBreak'>) {
  const kept = new LRUCache<string, BreakRecord>({ max: MOST_KEPT });
  async function read(sessionId: string, breakId: string): Promise<BreakRecord[]> {
    const key = `${sessionId} ${breakId}`;
    const known = kept.get(key);
    if (known !== undefined) return [known];
    const record = await findBreak(sessionId, breakId);
    if (record === undefined) return [];
    const told = essence(record);
    kept.set(key, told);
    return [told];
  }
  return async ({ session, decisions }: SessionState): Promise<BreakRecord[]> => {
    const inOrder = [...decisions].sort((a, b) => a.startsAt - b.startsAt);
    return (await Promise.all(inOrder.map(({ breakId }) => read(session.id, breakId)))).flat();
  };
}
