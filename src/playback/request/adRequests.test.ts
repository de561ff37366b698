import { beforeEach, expect, test } from 'vitest';
import { createHandClock, type HandClock } from '../../../test/laws/handClock.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../../adapters/sql/sql.ts';
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { millis } from '../../time/units.ts';
import { type AdRequests, createAdRequests, USUAL_TIMEOUT } from './adRequests.ts';
import type { AdRequestContext } from './requestAds.ts';

const one = { sessionId: 's', breakId: '1-1', startsAt: 0 };
const question = {
  source: { url: 'https://ads.example' },
  session: { id: 's', channelId: 'c', parameters: {}, viewer: { address: '', userAgent: '' } },
  adBreak: { id: '1-1', startsAt: millis(0), duration: 10 },
} as AdRequestContext;
const answerOf = (reason?: AdRequestOutcome['reason']): AdRequestOutcome => ({
  ...{ request: { url: 'https://ads.example', ms: 1 }, warnings: [], ads: [], dropped: [], errors: [] },
  ...(reason === undefined ? {} : { reason }),
});
const turnedAway = answerOf({ code: 'AD_SERVER_NOT_ASKED', text: 'busy' });

let sessions: SessionStore;
let clock: HandClock;
let asked: number;
let answers: AdRequestOutcome[];
beforeEach(async () => {
  sessions = sqlSessions(await openSqlite(':memory:'));
  clock = createHandClock(1_000_000, () => false);
  const viewer = { address: '', userAgent: '' };
  const session = { id: 's', channelId: 'c', tenant: 't', life: 'l', format: 'hls' as const, openedAt: clock.now() };
  await sessions.create({ ...session, parameters: {}, viewer }, { segments: [], discontinuities: 0 });
  asked = 0;
  answers = [];
});
const node = (): AdRequests =>
  createAdRequests({
    requestAds: async () => {
      asked += 1;
      return answers.shift() ?? answerOf();
    },
    ...{ sessions, now: clock.now, timers: clock.timers, log: () => {} },
  });
const later = () => millis(clock.now() + 60_000);

test('of two nodes one makes the request; the other may once the first has not answered for long', async () => {
  const [first, second] = [node(), node()];
  const right = await first.claim(one, USUAL_TIMEOUT);
  expect(await second.claim(one, USUAL_TIMEOUT)).toBeUndefined();
  await first.answer(right!, question, later());
  await clock.pass(4000);
  expect(await second.claim(one, USUAL_TIMEOUT)).toBeUndefined();
  await clock.pass(6000);
  const taken = await second.claim(one, USUAL_TIMEOUT);
  expect(taken).toEqual({ claim: one });
  await second.answer(taken!, question, later());
  expect(asked).toBe(2);
});

test('what came back to a node that is gone is not requested again', async () => {
  const [first, second] = [node(), node()];
  const right = (await first.claim(one, USUAL_TIMEOUT))!;
  const answer = (await first.answer(right, question, later()))!;
  await first.storeOutcome(right, { ...answer, warnings: ['kept'] });
  await clock.pass(10_000);
  const taken = (await second.claim(one, USUAL_TIMEOUT))!;
  const same = await second.answer(taken, question, later());
  expect([asked, same?.warnings, same?.variables?.('SESSION_ID')]).toEqual([1, ['kept'], 's']);
});

test('an answer that could not be recorded is not requested again by the same node', async () => {
  const only = node();
  const right = (await only.claim(one, USUAL_TIMEOUT))!;
  const answer = (await only.answer(right, question, later()))!;
  only.remember(right, answer);
  const again = (await only.claim(one, USUAL_TIMEOUT))!;
  await only.answer(again, question, later());
  expect(asked).toBe(1);
});

test('a request that was turned away here is made a moment later, unless another node has taken over', async () => {
  answers = [turnedAway, answerOf()];
  const only = node();
  const right = (await only.claim(one, USUAL_TIMEOUT))!;
  const { value } = await clock.finish(only.answer(right, question, later()));
  expect([asked, value?.reason]).toEqual([2, undefined]);

  answers = [turnedAway];
  const other = { ...one, breakId: '1-2' };
  const second = (await only.claim(other, -2500))!;
  const waiting = only.answer(second, { ...question, source: { ...question.source, timeoutMs: -2500 } }, later());
  await clock.pass(600);
  expect(await node().claim(other, USUAL_TIMEOUT)).toBeDefined();
  expect((await clock.finish(waiting)).value).toBeUndefined();
});
