// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { EnabledChannel } from '../../src/playback/onAir/airing.ts';
import { createViewings } from '../../src/playback/viewings.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';

const channel = { id: 'news', tenant: 'acme', type: 'live' } as EnabledChannel['channel'];
const session = { id: 's', channelId: 'news', tenant: 'acme', life: 'first' };
const sessions = { find: async () => ({ session }) } as unknown as SessionStore;

/** @param lives of the feeds of a live channel, which are all idle; undefined while it is being prepared */
const reject = (lives?: readonly string[]): Promise<never> => {
  const live = lives && ({ has: (life: string) => lives.includes(life) } as NonNullable<EnabledChannel['live']>);
  const named = (): EnabledChannel[] => [{ channel, ...(live && { live }) }];
  const deps = { airings: { named }, sessions, viewers: { seats: new Map() } } as unknown as Parameters<
    typeof createViewings
  >[0];
  return createViewings(deps).reject('news', 's');
};

test('a session of an origin that was replaced has ended, also while the new origin is idle', async () => {
  await expect(reject(['second'])).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(reject(['second', 'first'])).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
  await expect(reject()).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
});
