// SPDX-License-Identifier: Apache-2.0
// Requests for ads that end with an exception: the content is played without those ads, and the log contains the error.
import { expect, test } from 'vitest';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import type { ServerOutcome } from '../../ads/record/breakRecord.ts';
import type { VodChannel } from '../../channels/channel.ts';
import { millis } from '../../time/units.ts';
import type { BreakPlan, PlannedBreak } from '../../vod/breakPlan.ts';
import { lastRetryAt, type RequestBreaksDeps, type RequestFacts, requestBreaks } from './requestBreaks.ts';
import type { VodViewer } from './vodViewer.ts';

const title = titleOfAll(twoSecondAsset('film', 10));
const channel = { id: 'films', tenant: 'demo', adSource: { url: 'https://ads.test/' } } as VodChannel;
const breakAt = (number: number, seconds: number): PlannedBreak => {
  const at = inFlicks(seconds);
  return { id: `0-${number}`, origin: 'cuePoint', at, requested: at, duration: 30, warnings: [] };
};
const factsOf = (plan?: BreakPlan): RequestFacts => ({
  channel,
  viewer: { title, session: { id: 'one', openedAt: millis(0), vod: { assets: [], plan } } } as unknown as VodViewer,
  demand: { kind: 'server', source: channel.adSource! },
  freeAfter: () => async () => ({ duration: 0 }),
  reserved: 0,
});

function failing(isFailing: (breakId: string) => boolean): RequestBreaksDeps & { readonly logged: unknown[] } {
  const logged: unknown[] = [];
  const answer = async (breakId: string): Promise<ServerOutcome> => {
    if (isFailing(breakId)) throw new Error('unexpected');
    return { ads: [], dropped: [], warnings: [], errors: [] } as unknown as ServerOutcome;
  };
  return {
    requestAds: ({ adBreak }) => answer(adBreak.id),
    requestPresentation: ({ adBreak }) => answer(adBreak.id),
    log: (_, { breakId }) => logged.push(breakId),
    logged,
  };
}

test('one break whose request fails does not affect the others', async () => {
  const deps = failing((id) => id === '0-1');
  const { requested } = await requestBreaks(factsOf({ breaks: [breakAt(1, 0), breakAt(2, 10)], dropped: [] }), deps);
  expect(requested).toMatchObject([{ reason: { code: 'DECISION_FAILED' } }, { outcome: { ads: [] } }]);
  expect(requested[0]!.outcome).toBeUndefined();
  expect(deps.logged).toEqual(['0-1']);
});

test('without the response that names the breaks, the content is played without breaks', async () => {
  const deps = failing(() => true);
  const { plan, requested, document } = await requestBreaks(factsOf(), deps);
  expect([plan.breaks, requested]).toEqual([[], []]);
  expect(document).toMatchObject({ reason: { code: 'DECISION_FAILED' } });
  expect(deps.logged).toEqual(['0-0']);
});

test('the last retry is an instant for every timeout', () => {
  const after = (timeoutMs: number) => lastRetryAt(timeoutMs, millis(1000));
  expect([2850, 2849, 1, 0].map(after)).toEqual([2425, 2424, 1000, 1000]);
});
