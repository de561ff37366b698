// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { signOpening } from '../../../src/http/live/openingRequest.ts';
import { findSessionId } from '../sessions/sessionSearch.ts';
import { playbackUrls, sessionUrl, vodParameters } from './playbackUrls.ts';
import { signSession } from './signSession.ts';

const live = 'https://live.example.com';

test('encodes ids, keys and parameters', () => {
  const channel = { id: 'a:b', apiKey: 'k&y' };
  expect(playbackUrls(live, channel)).toEqual({
    hls: `${live}/hls/a%3Ab/master.m3u8?api-key=k%26y`,
    hlsSession: `${live}/hls/view/a%3Ab?api-key=k%26y`,
    dashSession: `${live}/dash/view/a%3Ab?api-key=k%26y`,
  });
  expect(sessionUrl(live, 'hls', channel, { viewer: 'a b' })).toBe(`${live}/hls/view/a%3Ab?viewer=a+b&api-key=k%26y`);
});

test('playback URLs of VoD name the content and the start', () => {
  const target = vodParameters({ content: ' https://media.example.com/a.m3u8?b=1&c=2', start: '90,5 ' });
  const { hls, dashSession } = playbackUrls(live, { id: 'a', apiKey: 'k' }, target);
  for (const url of [hls, dashSession].map((each) => new URL(each).searchParams)) {
    expect(Object.fromEntries(url)).toEqual({
      content: 'https://media.example.com/a.m3u8?b=1&c=2',
      start: '90.5',
      'api-key': 'k',
    });
  }
  expect(vodParameters({ content: ' ', start: '' })).toEqual({});
});

test('finds the session id in playback URLs and logs, also of a channel with a UUID', () => {
  const id = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';
  const channel = '11111111-2222-4333-8444-555555555555';
  for (const path of [
    `hls/${channel}/master.m3u8?sid=${id}`,
    `dash/${channel}/${id}.mpd`,
    `hls/${channel}/${id}/v0.m3u8`,
  ]) {
    expect(findSessionId(`${live}/${path}`)).toBe(id);
    expect(findSessionId(`GET /${path} 200`)).toBe(id);
  }
  expect(findSessionId(live)).toBeUndefined();
});

test('signs a session URL as the live port verifies it', async () => {
  const channel = { id: 'one', signingSecret: 'sixteen-or-more!' };
  const { exp, sig } = (await signSession(channel, 1_790_000_000_000)) as { exp: string; sig: string };
  expect(sig).toBe(signOpening(channel.signingSecret, channel.id, exp));
  expect(await signSession({ id: 'one' }, 0)).toEqual({});
});
