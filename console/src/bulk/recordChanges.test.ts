// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ChannelAction, changeLabels, planChannels, planCreatives, planPlaylists } from './recordChanges.ts';

const channel = (id: string, rest: Partial<ChannelResponse> = {}): ChannelResponse => ({
  id,
  apiKey: 'k',
  state: 'enabled',
  tenant: 'acme',
  createdBy: 'ann@example.com',
  createdAt: '2026-03-01T00:00:00.000Z',
  __v: 3,
  ...rest,
});
const plan = (given: Partial<ChannelResponse>, action: ChannelAction) => planChannels([channel('a', given)], action);
const bodies = (given: Partial<ChannelResponse>, action: ChannelAction) =>
  plan(given, action).changes.map(({ change, before }) => [change.body, before]);

test('disables what is enabled or has failed, and leaves alone what is disabled', () => {
  const action = { kind: 'state', state: 'disabled' } as const;
  expect(bodies({}, action)).toEqual([[{ state: 'disabled' }, { state: 'enabled' }]]);
  expect(bodies({ state: 'failed' }, action)).toEqual([[{ state: 'disabled' }, { state: 'enabled' }]]);
  expect(bodies({ state: 'disabled' }, action)).toEqual([]);
});

test('changes the URL of the ad server and keeps its other options; undo restores what was there', () => {
  const to = (url: string) => ({ kind: 'ad-server', url }) as const;
  const old = { url: 'https://old.example.com', timeoutMs: 900 };
  const next = 'https://new.example.com';
  expect(bodies({ adSource: old }, to(next))).toEqual([[{ adSource: { url: next } }, { adSource: { url: old.url } }]]);
  expect(bodies({}, to(next))).toEqual([[{ adSource: { url: next } }, { adSource: null }]]);
  expect(bodies({ adSource: old }, to(''))).toEqual([[{ adSource: null }, { adSource: old }]]);
  expect([bodies({ adSource: old }, to(old.url)), bodies({}, to(''))]).toEqual([[], []]);
});

test('changes the playlist, but not of live channels', () => {
  const action = { kind: 'playlist', playlistId: 'loop' } as const;
  expect(bodies({ playlistId: 'old' }, action)).toEqual([[{ playlistId: 'loop' }, { playlistId: 'old' }]]);
  expect(bodies({}, action)).toEqual([[{ playlistId: 'loop' }, { playlistId: null }]]);
  expect(bodies({ playlistId: 'loop' }, action)).toEqual([]);
  expect(plan({ type: 'live' }, action)).toMatchObject({
    changes: [],
    left: [{ id: 'a', reason: expect.stringContaining('live') }],
  });
});

test('adds and removes labels without regard to case', () => {
  expect(changeLabels(['Sport', 'DE'], { added: ['sport', 'HD'], removed: ['de'] })).toEqual(['Sport', 'HD']);
  const action = { kind: 'labels', added: ['HD'], removed: ['DE'] } as const;
  expect(bodies({ labels: ['DE'] }, action)).toEqual([[{ labels: ['HD'] }, { labels: ['DE'] }]]);
  expect(bodies({ labels: ['hd'] }, action)).toEqual([]);
});

test('deletes by ID, also with viewers after that was confirmed', () => {
  const paths = (isForced: boolean) =>
    planChannels([channel('a:b')], { kind: 'delete', isForced }).changes.map(({ change }) => change);
  expect(paths(false)).toEqual([{ method: 'DELETE', path: '/api/v2/channels/a%3Ab' }]);
  expect(paths(true)).toEqual([{ method: 'DELETE', path: '/api/v2/channels/a%3Ab?force=true' }]);
});

test('playlists without a status are disabled; creatives are retried and deleted', () => {
  const playlists = [{ id: 'p', createdAt: '2026-03-01T00:00:00.000Z', __v: 1 }];
  expect(planPlaylists(playlists, { kind: 'status', status: 'enabled' }).changes[0]).toMatchObject({
    change: { method: 'PATCH', path: '/api/v2/playlists/p', body: { status: 'enabled' }, ifMatch: '"mm6zh1c0.1"' },
    before: { status: 'disabled' },
  });
  expect(planPlaylists(playlists, { kind: 'status', status: 'disabled' }).changes).toEqual([]);
  expect(planCreatives([{ id: 'c', name: 'spot' }], 'retry').changes.map(({ change }) => change)).toEqual([
    { method: 'POST', path: '/api/v2/assets/c/retry' },
  ]);
});
