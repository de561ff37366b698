// SPDX-License-Identifier: Apache-2.0
// Records for tests of stores: channels, what they have on air, and sessions, with what most tests do not depend on.
import type { Channel } from '../../src/channels/channel.ts';
import type { InsertedBreak } from '../../src/channels/inserted/breakOrder.ts';
import type { AiringRecord, EditionRecord } from '../../src/channels/schedule/airing.ts';
import type { LiveFeed } from '../../src/live/feed.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import type { Claimed, StoredDecision } from '../../src/sessions/ports.ts';
import type { FilmSession, Session } from '../../src/sessions/session.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import type { NewBeacon } from '../../src/tracking/beacons/beacon.ts';

/** What operators create. */
export const written = { createdBy: 'ann@example.com', createdAt: '2026-01-02T03:04:05.678Z' };

/** A live channel on air. */
export const channelOf = (id: string, more: Partial<Channel> = {}): Channel => ({
  ...{ id, tenant: 'acme', type: 'live', state: 'enabled', apiKey: 'secret', playlistSize: 60, timeShiftWindow: 0 },
  ...{ tracking: 'server', ...written },
  ...more,
});

/** A viewer of the linear channel `c`; with `vod`, of a VoD channel. */
export function sessionOf(id: string, openedAt: Millis = millis(0), vod?: FilmSession['vod']): Session {
  const common = {
    ...{ id, channelId: 'c', tenant: 't', life: 'l', format: 'hls' as const, openedAt },
    ...{ parameters: {}, viewer: { address: '192.0.2.7', userAgent: '' } },
  };
  return vod === undefined
    ? { kind: 'schedule', ...common, reach: { playlistSize: 60, timeShiftWindow: 0 } }
    : { kind: 'film', ...common, vod };
}

/** The odometer of a new session. */
export const fresh = { segments: [], discontinuities: 0 };

export const airingOf = (channelId: string, life: string, tenant = 'acme'): AiringRecord => ({
  ...{ tenant, channelId, life, startedAt: millis(1000), ladder: defaultLadder },
});

export const editionOf = (life: string, number: number): EditionRecord => ({
  ...{ channelId: 'any', life, number, from: millis(1000 * number), slots: [], items: [null, 'https://origin.test/a'] },
  base: { segments: [1, 2, 3], discontinuities: 4 },
  after: { position: 3, to: 705_600_000 },
});

export const liveFeedOf = (
  channelId: string,
  life: string,
  format: 'hls' | 'dash' = 'hls',
  tenant = 'acme',
): LiveFeed => ({
  ...{ channelId, tenant, life, format, serves: format, url: 'https://origin.test/\0\ud800"', startedAt: millis(1000) },
  ...{ ladder: defaultLadder, rungs: [], slateId: 'slate' },
});

export const beaconOf = (nth: number, more: Partial<NewBeacon> = {}): NewBeacon => ({
  ...{
    tenant: 't',
    channelId: 'c',
    sessionId: 's',
    ownerId: '1-2-0',
    event: 'start',
    nth,
    url: `https://a.test/${nth}`,
  },
  ...{ viewer: { address: '192.0.2.7', userAgent: 'Ünï "TV" \0' }, recordedAt: millis(100 + nth), dueAt: millis(1000) },
  ...more,
});

/** A break of 30 seconds that an operator has inserted into the channel `news`. */
export const insertedOf = (startsAt: Millis, createdAt: Millis, more: Partial<InsertedBreak> = {}): InsertedBreak => ({
  ...{ tenant: 'acme', channelId: 'news', id: 'a', kind: 'ads', revision: 0, request: '', startsAt, createdAt },
  ...{ duration: millis(30_000), ...more },
});

export const decisionOf = (breakId: string, startsAt: number, ads: StoredDecision['ads'] = []): StoredDecision => ({
  ...{ breakId, startsAt, joined: 0, ads, shift: { segments: [1], discontinuities: 1 } },
});

/** What a store grants, without what only some stores report. */
export const grantOf = (claimed: Claimed) => {
  const { recorded: _, ...grant } = { recorded: undefined, ...claimed };
  return grant;
};
