// SPDX-License-Identifier: Apache-2.0
// Lists and clips of breaks at a node that has not decided them.
import { expect, test } from 'vitest';
import { airingsOf } from '../../../../test/airingsOf.ts';
import { opened } from '../../../../test/opened.ts';
import { serveLiveChannel } from '../../../../test/servers/liveServer.ts';
import { breaksOf, soakAiring } from '../../../../test/tracking/soakChannel.ts';
import { defined } from '../../../invariant.ts';
import { placeDecision } from '../../../playback/onAir/airing.ts';
import { millis } from '../../../time/units.ts';
import { isBreakSpan, spanStart } from '../../../timeline/programme/span.ts';

const airing = soakAiring();
const { id } = airing.channel;
const [span] = breaksOf(airing, 1).filter(isBreakSpan);
const { break: own } = defined(span, 'the channel has a break');
const live = await opened(
  serveLiveChannel({
    airings: airingsOf(() => [{ ...airing, channel: { ...airing.channel, apiKey: 'key' } }]),
    now: () => millis(spanStart(span!) + 5000),
  }),
);

const get = async (path: string) => {
  const response = await fetch(live.url + path);
  return { status: response.status, text: await response.text() };
};

test('what another node has decided since the last request of a player is found', async () => {
  const { sessionId } = JSON.parse((await get(`/hls/view/${id}?api-key=key&insertion=guided`)).text);
  const clip = `/hls/${id}/${sessionId}/pods/${own.id}-0`;
  expect((await get(`${clip}.m3u8`)).status).toBe(404);
  const ads = [{ adId: `${own.id}-0`, mediaId: 'm0x250', frames: 250 }];
  const decision = { breakId: own.id, startsAt: spanStart(span!), joined: 0, ads };
  const { shift } = placeDecision(airing, span!, decision);
  const record = { id: own.id, startsAt: '', duration: 30, warnings: [], ads: [], slate: 20 };
  const state = await live.sessions.find(sessionId);
  await live.sessions.decide(state!, { ...decision, shift }, { ...record, status: 'partial' }, millis(0));
  expect((await get(`${clip}/v0.m3u8`)).text).toContain(`${own.id}-0/m0x250/`);
  expect((await get(`${clip}.m3u8`)).status).toBe(200);
  expect((await get(`/dash/${id}/${sessionId}/pods/${own.id}-1.mpd`)).text).toContain('/slate/');
  const list = JSON.parse((await get(`/hls/${id}/${sessionId}/breaks/${own.id}.json`)).text);
  expect(list.ASSETS.map(({ DURATION }: { DURATION: number }) => DURATION)).toEqual([10, 20]);
});
