// SPDX-License-Identifier: Apache-2.0

import { beforeEach, expect, test } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { createManualClock, type ManualClock } from '../../../test/laws/manualClock.ts';
import { sessionOf } from '../../../test/laws/syntheticChannel.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import { openSqlite } from '../../database.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { millis } from '../../time/units.ts';
import { type AdRequests, createAdRequests } from './adRequests.ts';
import { limitDemand } from './demand.ts';
import { DEFAULT_TIMEOUT_MS } from './requestAds.ts';
import type { BreakRequest } from './requestSteps.ts';

const one = { sessionId: 's', breakId: '1-1', startsAt: 0 };
const context: BreakRequest = {
  demand: { kind: 'server', source: { url: 'https://ads.example' } },
  session: sessionOf(0),
  adBreak: { id: '1-1', startsAt: millis(0), duration: 10 },
};
const outcomeWith = (reason?: AdRequestOutcome['reason']): AdRequestOutcome => ({
  request: { url: 'https://ads.example', ms: 1 },
  warnings: [],
  ads: [],
  dropped: [],
  errors: [],
  ...(reason === undefined ? {} : { reason }),
});
const rejected = outcomeWith({ code: 'AD_SERVER_NOT_ASKED', text: 'busy' });

const nothing = { decisions: 0, foldedBefore: 0 };

let sessions: SessionStore;
let clock: ManualClock;
let requests: number;
let outcomes: AdRequestOutcome[];
beforeEach(async () => {
  sessions = sqlSessions(await openSqlite(':memory:'));
  clock = createManualClock(1_000_000, () => false);
  await sessions.create(sessionOf(clock.now()), { segments: [], discontinuities: 0 });
  requests = 0;
  outcomes = [];
});
const node = (respond = async () => outcomes.shift() ?? outcomeWith()): AdRequests =>
  createAdRequests({
    requestAds: () => {
      requests += 1;
      return respond();
    },
    sessions,
    now: clock.now,
    timers: clock.timers,
    log: () => {},
  });
const later = () => millis(clock.now() + 60_000);

test('one of two nodes makes the request; the other one may take over once the lease of the first has expired', async () => {
  const [first, second] = [node(), node()];
  const granted = await first.claim(one, DEFAULT_TIMEOUT_MS);
  expect(await second.claim(one, DEFAULT_TIMEOUT_MS)).toBeUndefined();
  await first.request(granted!, context, later());
  await clock.advance(4000);
  expect(await second.claim(one, DEFAULT_TIMEOUT_MS)).toBeUndefined();
  await clock.advance(6000);
  const takenOver = await second.claim(one, DEFAULT_TIMEOUT_MS);
  expect(takenOver).toEqual({ claim: one, recorded: nothing });
  await second.request(takenOver!, context, later());
  expect(requests).toBe(2);
});

test('a stored outcome of another node is used instead of a second request', async () => {
  const [first, second] = [node(), node()];
  const granted = (await first.claim(one, DEFAULT_TIMEOUT_MS))!;
  const outcome = (await first.request(granted, context, later()))!;
  await first.storeOutcome(granted, { ...outcome, warnings: ['stored'] });
  await clock.advance(10_000);
  const takenOver = (await second.claim(one, DEFAULT_TIMEOUT_MS))!;
  const same = await second.request(takenOver, context, later());
  expect([requests, same?.warnings, same?.variables?.('SESSION_ID')]).toEqual([1, ['stored'], 's']);
});

test('a node does not repeat a request whose decision could not be recorded', async () => {
  const only = node();
  const granted = (await only.claim(one, DEFAULT_TIMEOUT_MS))!;
  const outcome = (await only.request(granted, context, later()))!;
  only.remember(granted, outcome);
  const again = (await only.claim(one, DEFAULT_TIMEOUT_MS))!;
  await only.request(again, context, later());
  expect(requests).toBe(1);
});

test('a request rejected because of load is retried, unless another node has taken over', async () => {
  outcomes = [rejected, outcomeWith()];
  const only = node();
  const granted = (await only.claim(one, DEFAULT_TIMEOUT_MS))!;
  const { value } = await clock.runUntil(only.request(granted, context, later()));
  expect([requests, value?.reason]).toEqual([2, undefined]);

  outcomes = [rejected];
  const other = { ...one, breakId: '1-2' };
  const second = (await only.claim(other, -2500))!;
  const waiting = only.request(second, { ...context, demand: limitDemand(context.demand, -2500) }, later());
  await clock.advance(600);
  expect(await node().claim(other, DEFAULT_TIMEOUT_MS)).toBeDefined();
  expect((await clock.runUntil(waiting)).value).toBeUndefined();
});

test('claims that are released can be taken at once, with the outcome if it is known', async () => {
  const [ending, other] = [node(), node()];
  const next = { ...one, breakId: '1-2' };
  const decided = { ...one, breakId: '1-3' };
  await ending.claim(one, DEFAULT_TIMEOUT_MS);
  const answered = (await ending.claim(next, DEFAULT_TIMEOUT_MS))!;
  await ending.storeOutcome(answered, (await ending.request(answered, context, later())) as AdRequestOutcome);
  await ending.claim(decided, DEFAULT_TIMEOUT_MS);
  ending.forget(decided);
  await ending.release();
  await clock.advance(10);
  expect(await other.claim(one, DEFAULT_TIMEOUT_MS)).toEqual({ claim: one, recorded: nothing });
  expect((await other.claim(next, DEFAULT_TIMEOUT_MS))?.outcome).toBeDefined();
  expect(await other.claim(decided, DEFAULT_TIMEOUT_MS)).toBeUndefined();
  // What another node has taken stays with it.
  await ending.release();
  expect(await node().claim(one, DEFAULT_TIMEOUT_MS)).toBeUndefined();
});

test('a claim whose request is under way is not released, because another node would repeat the request', async () => {
  const { promise: response, resolve: respond } = deferred<AdRequestOutcome>();
  const [ending, other] = [node(() => response), node()];
  const unsent = { ...one, breakId: '1-2' };
  const granted = (await ending.claim(one, DEFAULT_TIMEOUT_MS))!;
  await ending.claim(unsent, DEFAULT_TIMEOUT_MS);
  const answered = ending.request(granted, context, later());
  await ending.release();
  await clock.advance(10);
  expect(await other.claim(unsent, DEFAULT_TIMEOUT_MS)).toEqual({ claim: unsent, recorded: nothing });
  expect(await other.claim(one, DEFAULT_TIMEOUT_MS)).toBeUndefined();
  // Its outcome is used, and the lease ends by itself.
  respond(outcomeWith());
  expect(await answered).toEqual(outcomeWith());
  await clock.advance(10_000);
  expect(await other.claim(one, DEFAULT_TIMEOUT_MS)).toEqual({ claim: one, recorded: nothing });
});

test('an outcome whose decision could not be recorded is released with its claim', async () => {
  const [ending, other] = [node(), node()];
  const granted = (await ending.claim(one, DEFAULT_TIMEOUT_MS))!;
  ending.remember(granted, (await ending.request(granted, context, later()))!);
  await ending.release();
  await clock.advance(10);
  const taken = (await other.claim(one, DEFAULT_TIMEOUT_MS))!;
  expect(await other.request(taken, context, later())).toBeDefined();
  expect(requests).toBe(1);
});

test('after the release, a process claims nothing and sends nothing', async () => {
  outcomes = [rejected, rejected];
  const [ending, other] = [node(), node()];
  const next = { ...one, breakId: '1-2' };
  const waiting = ending.request((await ending.claim(one, DEFAULT_TIMEOUT_MS))!, context, later());
  const sending = ending.send(async () => rejected, later());
  const unsent = (await ending.claim(next, DEFAULT_TIMEOUT_MS))!;
  await clock.advance(10);
  expect(requests).toBe(1);
  const claimed = ending.claim({ ...one, breakId: '1-3' }, DEFAULT_TIMEOUT_MS);
  await ending.release();
  expect(await claimed).toBeUndefined();
  expect((await clock.runUntil(waiting)).value).toBeUndefined();
  expect((await clock.runUntil(sending)).value).toBe(rejected);
  expect(await ending.request(unsent, context, later())).toBeUndefined();
  expect(await ending.claim({ ...one, breakId: '1-4' }, DEFAULT_TIMEOUT_MS)).toBeUndefined();
  expect(requests).toBe(1);
  for (const breakId of ['1-1', '1-2', '1-3', '1-4'])
    expect(await other.claim({ ...one, breakId }, DEFAULT_TIMEOUT_MS)).toBeDefined();
});

test('a request without a claim of its own is counted, and retried until its deadline', async () => {
  const only = node();
  const underWay: number[] = [];
  const send = async () => {
    underWay.push(only.underWay());
    return underWay.length < 3 ? rejected : outcomeWith();
  };
  const { value } = await clock.runUntil(only.send(send, later()));
  expect([underWay, only.underWay(), value.reason]).toEqual([[1, 1, 1], 0, undefined]);
  const last = await only.send(async () => rejected, millis(clock.now() + 1000));
  expect(last.reason?.code).toBe('AD_SERVER_NOT_ASKED');
});
