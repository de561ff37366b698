// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { millis } from '../../../time/units.ts';
import { problemsOf } from './channelProblems.ts';
import type { FailingServer } from './ports.ts';
import { stateProblem } from './stateProblem.ts';

const at = millis(Date.UTC(2026, 2, 1));
const failing: FailingServer = {
  tenant: 'acme',
  channel: 'one',
  asked: 'source',
  adServer: 'ads.test:8080',
  since: at,
  lastAt: at,
  failure: { error: 'httpStatus', status: 503 },
};
const channel = { adSource: { url: 'http://ads.test:8080/vast?cb=[CACHEBUSTING]' } };

describe('problems of a channel', () => {
  it('are its state, its ad server and its creatives, in this order', () => {
    const problems = problemsOf(channel, {
      servers: [{ ...failing, asked: 'wrapper', adServer: 'other.test' }, failing],
      creatives: { channelId: 'one', count: 1, failing: 1, since: at, reason: 'the server returned 404', name: 'tea' },
      state: { text: 'No item can be played' },
      fillRate: 0.5,
      adsLost: 3,
    });
    const since = '2026-03-01T00:00:00.000Z';
    expect(problems).toEqual([
      { kind: 'state', text: 'No item can be played.' },
      {
        kind: 'ad-server',
        since,
        text: expect.stringMatching(/ads\.test:8080.*503/),
        adServer: 'ads.test:8080',
        fillRate: 0.5,
      },
      { kind: 'ad-server', since, text: expect.stringContaining('503'), adServer: 'other.test', fillRate: 0.5 },
      { kind: 'creative', since, text: expect.stringMatching(/tea.*404/), creatives: 1, failing: 1, adsLost: 3 },
    ]);
  });

  it('leave out numbers that are not known', () => {
    const creatives = { channelId: 'one', count: 12, failing: 0, since: at };
    expect(problemsOf(channel, { servers: [failing], creatives })).toMatchObject([
      { kind: 'ad-server' },
      { text: expect.stringContaining('12'), creatives: 12 },
    ]);
    expect(JSON.stringify(problemsOf(channel, { servers: [failing], creatives }))).not.toMatch(/fillRate|adsLost/);
  });

  it.each([
    ['another host', { adSource: { url: 'https://new.test/vast' } }, 0],
    ['another port', { adSource: { url: 'http://ads.test/vast' } }, 0],
    ['no ad source', {}, 0],
    ['a host of macros', { adSource: { url: 'http://[PLAYER.zone].ads.test/vast' } }, 1],
    ['another path', { adSource: { url: 'http://ads.test:8080/other' } }, 1],
  ])('after a change of the ad source: %s', (_, changed, count) => {
    expect(problemsOf(changed, { servers: [failing] }).length).toBe(count);
  });
});

describe('the state of a channel', () => {
  const origin = { state: 'failing', since: at, reason: 'The origin returned status 503.' } as const;
  const ok = { state: 'enabled' } as const;

  it('is a problem if it is failed or has a reason, and not while it is being prepared', () => {
    const preparation = { step: 'assets', assets: 1, assetsRead: 0 } as const;
    expect(stateProblem({ state: 'enabled', stateReason: 'Reading.', preparation }, {})).toBeUndefined();
    expect(stateProblem({ state: 'failed', stateReason: 'Gone.', preparation }, {})).toEqual({ text: 'Gone.' });
    expect(stateProblem({ state: 'enabled', stateReason: 'An item failed.' }, {})).toEqual({ text: 'An item failed.' });
    expect([stateProblem(ok, {}), stateProblem(undefined, {})]).toEqual([undefined, undefined]);
  });

  it('is that of its origin, and what viewers see', () => {
    const slate = { kind: 'slate', since: at } as const;
    expect(stateProblem(ok, { hls: { ...origin, onAir: slate } })).toEqual({
      since: at,
      text: expect.stringMatching(/503\. .*slate\.$/),
    });
    expect(stateProblem(ok, { hls: { state: 'idle', onAir: slate } })).toBeUndefined();
    expect(
      stateProblem(ok, { dash: { state: 'ok', onAir: { kind: 'backup', url: 'http://b', since: at } } }),
    ).toMatchObject({
      since: at,
      text: expect.stringContaining('backup'),
    });
  });
});
