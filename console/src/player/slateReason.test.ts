// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { slateReason } from './slateReason.ts';

const start = Date.UTC(2026, 2, 1);
const at = (seconds: number) => start + seconds * 1000;
const iso = (seconds: number) => new Date(at(seconds)).toISOString();
const empty = { startsAt: iso(0), duration: 30, slate: 30, ads: [] };
const dead = { ...empty, reason: { code: 'AD_SERVER_FAILED', text: 'The ad server refused the connection.' } };
const problem = {
  kind: 'ad-server',
  since: iso(0),
  text: 'The ad server ads.test refuses the connection.',
  adServer: 'ads.test',
} as const;

test('is the reason of the break that the picture shows', () => {
  expect(slateReason([dead], at(1), [])).toBe('Slate: the ad server refused the connection');
  expect([slateReason([dead], at(-1), []), slateReason([dead], at(30), [])]).toEqual([undefined, undefined]);
});

test('is what is wrong on the channel if the break has no reason', () => {
  expect(slateReason([empty], at(1), [problem])).toBe('Slate: the ad server ads.test refuses the connection');
  expect(slateReason([empty], at(1), [])).toBe('Slate');
});

test('is missing during ads and content, and names an ad that was skipped', () => {
  const shown = { adId: 'a', outcome: 'stitched', startsAt: iso(0), duration: 10 } as const;
  const reason = { code: 'CREATIVE_FAILED', text: 'Its creative cannot be shown: it returned status 404' } as const;
  const skipped = { adId: 'b', title: 'Tea', outcome: 'skipped', duration: 20, reason } as const;
  const partly = { ...empty, slate: 20, ads: [shown, skipped] };
  expect(slateReason([partly], at(5), [])).toBeUndefined();
  expect(slateReason([partly], at(15), [])).toMatch(/^Slate: Tea: its creative .*404$/);
  expect(slateReason([{ ...empty, content: 30 }], at(5), [problem])).toBeUndefined();
  expect(slateReason([{ ...empty, slate: 20, ads: [shown] }], at(15), [])).toContain('do not fill');
});
