// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import { createGuidedPresence, PRESUMED_MS } from './guidedPresence.ts';

const sessionOf = (id: string, more: object): Session => ({ id, kind: 'schedule', ...more }) as unknown as Session;
const guided = { guided: { keepUntil: millis(1e12) } };

test('a guided viewer on air counts as watching for ten minutes after a request', async () => {
  const stored: (readonly [readonly string[], Millis])[] = [];
  const watched: string[] = [];
  const presence = createGuidedPresence({
    sessions: { seen: async (ids, at) => stored.push([ids, at]) },
    watched: ({ id }) => void watched.push(id),
    ahead: () => {},
  });
  presence.note(sessionOf('guided', guided), millis(0));
  presence.note(sessionOf('stitched', {}), millis(0));
  presence.note(sessionOf('film', { ...guided, kind: 'film' }), millis(0));
  await presence.flush(millis(1000));
  await presence.flush(millis(PRESUMED_MS));
  presence.note(sessionOf('guided', guided), millis(PRESUMED_MS));
  await presence.flush(millis(2 * PRESUMED_MS));
  await presence.flush(millis(2 * PRESUMED_MS + 1));
  expect(stored.map(([ids, at]) => [...ids, at])).toEqual(
    [1000, PRESUMED_MS, 2 * PRESUMED_MS].map((at) => ['guided', at]),
  );
  expect(watched).toEqual(['guided', 'guided', 'guided']);
});
