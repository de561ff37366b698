// SPDX-License-Identifier: Apache-2.0
// Requests for delta updates on a live server (RFC 8216bis §6.2.5.1).
import { afterAll, describe, expect, test } from 'vitest';
import { airingsOf } from '../../../../test/airingsOf.ts';
import { serveLiveChannel } from '../../../../test/servers/liveServer.ts';
import { START, soakAiring } from '../../../../test/tracking/soakChannel.ts';
import { millis } from '../../../time/units.ts';

const airing = soakAiring();
const { targetDuration } = airing.ladder;
/** Channels by the length of their windows, in target durations, and in seconds for viewers with a start. */
const sizes = [
  ['long', 12, 0],
  ['short', 11, 0],
  ['shifted', 11, 300],
  ['off', 12, 0],
] as const;

const onAir = sizes.map(([id, targets, timeShiftWindow]) => {
  const { channel } = airing;
  const size = { playlistSize: targets * targetDuration, timeShiftWindow, deltaUpdates: id !== 'off' };
  return { ...airing, channel: { ...channel, id, tenant: 't', apiKey: `key-${id}`, ...size } };
});
const live = await serveLiveChannel({ airings: airingsOf(() => onAir), now: () => millis(START + 600_000) });
afterAll(() => live.close());

const get = async (path: string, method = 'GET') => {
  const response = await fetch(live.url + path, { method, headers: { 'accept-encoding': 'identity' } });
  return { status: response.status, length: response.headers.get('content-length'), text: await response.text() };
};
/** The path of a media playlist of a new session. */
async function open(id: string, query = ''): Promise<string> {
  const { text } = await get(`/hls/${id}/master.m3u8?api-key=key-${id}${query}`);
  return `/hls/${id}/${/^[\w-]{36}\/v0\.m3u8$/m.exec(text)![0]}`;
}

describe('a channel with a window of twelve target durations', () => {
  test.each(['YES', 'v2', 'YES&_HLS_msn=7', 'YES&other=1'])('returns an update for _HLS_skip=%s', async (value) => {
    const path = await open('long');
    const [full, delta] = [await get(path), await get(`${path}?_HLS_skip=${value}`)];
    expect([full.status, delta.status]).toEqual([200, 200]);
    expect(full.text).toContain(`,CAN-SKIP-UNTIL=${6 * targetDuration}.0\n`);
    expect(delta.text).toMatch(/^#EXT-X-SKIP:SKIPPED-SEGMENTS=[1-9]\d*$/m);
    expect(delta.length).toBe(String(delta.text.length));
    expect(await get(`${path}?_HLS_skip=${value}`, 'HEAD')).toEqual({ ...delta, text: '' });
  });

  const others = ['_HLS_skip', '_HLS_skip=', '_HLS_skip=NO', '_HLS_skip=yes', '_HLS_skip=V2', '_HLS_skip=%'];
  test.each(['', 'skip=YES', ...others])('returns the full playlist for the query "%s"', async (query) => {
    const path = await open('long');
    expect(await get(`${path}?${query}`)).toEqual(await get(path));
  });

  test('returns 404 for an unknown rung and an unknown session', async () => {
    const path = await open('long');
    const rung = await get(`${path.replace('v0', 'v9')}?_HLS_skip=YES`);
    expect([rung.status, rung.text]).toEqual([404, expect.stringContaining('Rung \\"v9\\" not found')]);
    expect((await get(`/hls/long/3f2b8c1e-5d4a-4b6f-9c7d-0e1f2a3b4c5d/v0.m3u8?_HLS_skip=YES`)).status).toBe(404);
  });
});

test.each([
  ['a shorter window', 'short'],
  ['a channel without deltaUpdates', 'off'],
])('%s has no updates', async (_, id) => {
  const path = await open(id);
  const full = await get(path);
  expect(full.text).not.toContain('CAN-SKIP-UNTIL');
  expect(await get(`${path}?_HLS_skip=YES`)).toEqual(full);
});

test('a window that grows announces updates from its first playlist on', async () => {
  const path = await open('shifted', '&start=-10');
  const full = await get(path);
  expect(full.text).toContain('CAN-SKIP-UNTIL');
  expect((await get(`${path}?_HLS_skip=YES`)).text).toContain('#EXT-X-SKIP');
  expect((await get(await open('shifted'))).text).not.toContain('CAN-SKIP-UNTIL');
});
