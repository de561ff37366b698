// SPDX-License-Identifier: Apache-2.0
import { beforeEach, describe, expect, test } from 'vitest';
import { airingOf as airingFor, syntheticChannel, viewerOf } from '../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import type { Channel } from '../channels/channel.ts';
import type { SessionState } from '../sessions/ports.ts';
import type { FilmSession, Session } from '../sessions/session.ts';
import { type Millis, millis } from '../time/units.ts';
import type { EnabledChannel } from './onAir/airing.ts';
import { createViewings } from './viewings.ts';

const start = millis(Date.parse('2026-03-01T00:00:00Z'));
const asset = twoSecondAsset('a', 10);
const channel = syntheticChannel([{ asset, cuePoints: [] }], start);
const airing = airingFor(channel, 60);
const { session, ...viewer } = viewerOf(airing, start);

/** Two tenants have a channel with the id `c`: one of them a schedule, the other one films. */
const schedule: EnabledChannel = { channel: airing.channel, airing };
const films: EnabledChannel = { channel: { id: 'c', tenant: 'other', type: 'vod' } as Channel };
const { kind: _kind, reach: _reach, ...common } = session;
const film: FilmSession = {
  ...common,
  id: 'f',
  kind: 'film',
  tenant: 'other',
  life: 'vod',
  vod: {} as FilmSession['vod'],
};

let reads: string[];
let stored: Session[];
let enabled: EnabledChannel[];

function open(known: readonly Session[] = []) {
  const stateOf = (one: Session) => ({ session: one }) as SessionState;
  const read = async (id: string) => {
    reads.push(id);
    const found = stored.find((one) => one.id === id);
    return found && stateOf(found);
  };
  const deps = {
    airings: { named: (id: string) => enabled.filter((one) => one.channel.id === id) },
    viewers: {
      seats: new Map(known.map((one) => [one.id, { session: one }])),
      read,
      find: (id: string) => ({ ...viewer, session: { ...session, id } }),
      update: (_: unknown, state: SessionState) => ({ ...viewer, session: state.session }),
    },
    sessions: { find: read },
    vod: { presentations: { find: async (id: string) => ({ session: { ...film, id } }) } },
  };
  return createViewings(deps as unknown as Parameters<typeof createViewings>[0]);
}

beforeEach(() => {
  reads = [];
  stored = [session, film];
  enabled = [films, schedule];
});

describe('a session', () => {
  test('in memory is found without a read, and on air without a promise', async () => {
    const { find } = open([session, film]);
    expect(find('c', 's', start)).toMatchObject({ kind: 'schedule', channel: { tenant: 't' }, airing: { life: 'l' } });
    expect(await find('c', 'f', start)).toMatchObject({ kind: 'film', channel: { tenant: 'other' } });
    expect(reads).toEqual([]);
  });

  test.each(['s', 'f'])('that only the store has is found with one read (%s)', async (id) => {
    const found = await open().find('c', id, start);
    expect(found).toMatchObject({ viewer: { session: { id } } });
    expect(reads).toEqual([id]);
  });

  test.each([[[]], [[session, film]]])('is not found under the URL of another channel', async (known) => {
    enabled.push({ ...schedule, channel: { ...airing.channel, id: 'd' } });
    for (const { id } of stored) expect(await open(known).find('d', id, start)).toBeUndefined();
  });

  test('of an unknown channel is not searched in the store', async () => {
    expect(await open().find('unknown', 's', start)).toBeUndefined();
    expect(reads).toEqual([]);
  });

  test.each<[string, EnabledChannel[]]>([
    ['whose channel is disabled', [films]],
    ['of a channel that another tenant has now', [{ ...schedule, channel: { ...airing.channel, tenant: 'new' } }]],
    ['of a past life', [{ ...schedule, airing: { ...airing, life: 'next' } }]],
    ['of a channel that plays films now', [{ channel: { ...airing.channel, type: 'vod' } }]],
  ])('%s is not found', async (_what, now) => {
    enabled = now;
    for (const known of [[], [session]]) {
      const viewings = open(known);
      expect(await viewings.find('c', 's', start)).toBeUndefined();
      await expect(viewings.reject('c', 's')).rejects.toMatchObject({ kind: 'NOT_FOUND' });
    }
  });
});

describe('the session of a live channel', () => {
  const live = { ...session, kind: 'live' as const, live: { joinedAt: start }, life: 'first' };
  /** @param lives of the feeds of the channel, which are all idle; undefined while it is being prepared */
  const idle = (lives?: readonly string[]): EnabledChannel => ({
    channel: { ...airing.channel, type: 'live' },
    ...(lives && {
      live: { has: (life: string) => lives.includes(life) } as NonNullable<EnabledChannel['live']>,
    }),
  });

  test('has ended if its origin was replaced, also while the new origin is idle', async () => {
    stored = [live];
    for (const [lives, kind] of [
      [['second'], 'NOT_FOUND'],
      [['second', 'first'], 'UNAVAILABLE'],
      [undefined, 'UNAVAILABLE'],
    ] as const) {
      enabled = [idle(lives)];
      await expect(open().reject('c', 's')).rejects.toMatchObject({ kind });
    }
  });

  test('loads its feed if that is idle, and keeps it in use', async () => {
    const used: string[] = [];
    let isAwake = false;
    const of: EnabledChannel = {
      channel: { ...airing.channel, type: 'live' },
      get dashAiring() {
        return isAwake ? { ...airing, life: 'first' } : undefined;
      },
      live: {
        has: (life) => life === 'first',
        isAwake: () => isAwake,
        catchUp: () => undefined,
        media: [],
        lifeFor: () => 'first',
        async use(life) {
          used.push(life);
          isAwake = true;
        },
      },
    };
    enabled = [of];
    expect(await open([live]).find('c', 's', start as Millis)).toMatchObject({ airing: { life: 'first' } });
    expect(used).toEqual(['first', 'first']);
  });
});
