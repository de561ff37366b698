// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { FrequencyCap } from '../channels/demand.ts';
import { millis } from '../time/units.ts';
import { countShown, withShown } from './viewerCounts.ts';

const HOUR = 3_600_000;
const start = Date.UTC(2026, 10, 30);
const at = (hours: number) => millis(start + hours * HOUR);
const ad = (advertiser: string, ...creatives: string[]) => ({ advertisers: [advertiser], creatives });
const caps: FrequencyCap[] = [
  { per: 'advertiser', max: 3, hours: 24 },
  { per: 'creative', max: 1, hours: 2 },
];

test('ads are counted by advertiser and by creative, as far back as a cap looks', () => {
  let shown = withShown({ at: at(0), shown: '' }, [ad('a.com', 'c1', 'u1'), ad('a.com', 'c2')], caps);
  shown = withShown({ at: at(20), shown }, [ad('a.com', 'c1'), ad('b.com')], caps);
  const count = countShown({ at: at(21), shown });
  expect(count('advertiser a.com', 24)).toBe(3);
  expect(count('advertiser a.com', 2)).toBe(1);
  expect(count('advertiser b.com', 24)).toBe(1);
  expect(count('creative c1', 24)).toBe(2);
  expect(count('creative u1', 24)).toBe(1);
  expect(count('creative a.com', 24)).toBe(0);
  expect(countShown({ at: at(24), shown })('advertiser a.com', 24)).toBe(1);
  expect(countShown({ at: at(0), shown: '' })('advertiser a.com', 24)).toBe(0);
});

test('an ad of two ids of one creative counts once for each', () => {
  const shown = withShown({ at: at(0), shown: '' }, [ad('a.com', 'c1', 'c1')], caps);
  expect(countShown({ at: at(0), shown })('creative c1', 2)).toBe(1);
});

test('what no cap counts is dropped', () => {
  let shown = withShown({ at: at(0), shown: '' }, [ad('a.com', 'c1')], caps);
  shown = withShown({ at: at(23), shown }, [], caps);
  expect(shown).not.toBe('');
  expect(withShown({ at: at(24), shown }, [], caps)).toBe('');
  expect(withShown({ at: at(0), shown: '' }, [ad('b.com', 'c2')], [])).toBe('');
  const creatives = withShown({ at: at(0), shown: '' }, [ad('a.com')], caps.slice(1));
  expect(creatives).toBe('');
});

test('ads count for as long as the caps of their channel', () => {
  const shown = withShown({ at: at(0), shown: '' }, [ad('a.com')], caps);
  const short = { per: 'advertiser', max: 1, hours: 1 } as const;
  const after = withShown({ at: at(3), shown }, [ad('a.com')], [short]);
  expect(countShown({ at: at(3), shown: after })('advertiser a.com', 24)).toBe(2);
  const later = withShown({ at: at(5), shown: after }, [], [short]);
  expect(countShown({ at: at(5), shown: later })('advertiser a.com', 24)).toBe(1);
});

test('what is not known counts as more than any cap allows', () => {
  expect(countShown({ at: at(0), shown: undefined })('advertiser a.com', 24)).toBe(Number.POSITIVE_INFINITY);
});

test('with more ads than a text holds, nothing is known until some no longer count', () => {
  const ads = Array.from({ length: 3000 }, (_, index) => ad(`${index}`));
  const shown = withShown({ at: at(0), shown: '' }, ads, caps);
  expect(countShown({ at: at(1), shown })('advertiser z', 1)).toBe(Number.POSITIVE_INFINITY);
  expect(withShown({ at: at(24), shown }, [], caps)).toBe('');
});
