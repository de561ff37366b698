// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { describeFigure } from './describeFigure.ts';
import { channelPath, creativePath, reportPath } from './overviewLinks.ts';

const fill = {
  unit: 'share',
  better: 'more',
  what: 'breaks',
  before: 'at this hour yesterday',
} as const;

test('a share changes by points, and a count by per cent', () => {
  expect(describeFigure({ kind: 'compared', value: 0.5, before: 0.75, change: -0.25 }, fill)).toEqual({
    value: '50%',
    change: { text: '−25 points', tone: 'bad' },
    note: '75% at this hour yesterday',
  });
  const count = { ...fill, unit: 'count', better: 'less' } as const;
  expect(describeFigure({ kind: 'compared', value: 1200, before: 1500, change: -0.2 }, count)).toMatchObject({
    value: '1,200',
    change: { text: '−20%', tone: 'good' },
  });
  expect(describeFigure({ kind: 'compared', value: 1, before: 1, change: 0.0001 }, count).change).toEqual({
    text: '±0%',
    tone: 'calm',
  });
});

test('what cannot be compared states why', () => {
  const uncompared = { kind: 'uncompared', value: 0.5 } as const;
  expect(describeFigure({ ...uncompared, reason: 'too-new' }, fill)).toEqual({
    value: '50%',
    note: '',
  });
  expect(describeFigure({ ...uncompared, reason: 'nothing-before' }, fill).note).toBe(
    'No breaks at this hour yesterday',
  );
  expect(describeFigure({ kind: 'nothing', reason: 'no-breaks' }, fill)).toEqual({ value: '–', note: 'No breaks' });
});

test('rows lead to the sessions or to the report with the same range', () => {
  const row = { id: 'a/b', secondsOffered: 60, secondsUnfilled: 60, fillRate: 0 };
  const failed = { ...row, reason: { kind: 'requests-failed', text: '', count: 1, of: 1 } } as const;
  expect(channelPath(failed, 'last-7-days', true)).toBe('/sessions?channel=a%2Fb&range=week&outcome=empty');
  const skipped = { ...row, reason: { kind: 'ads-skipped', text: '', count: 1, code: 'CREATIVE_FAILED' } } as const;
  expect(channelPath(skipped, 'today', true)).toBe('/reports?range=today&report=skips&channel=a%2Fb');
  expect(channelPath(skipped, 'today', false)).toBe('/sessions?channel=a%2Fb&range=today&outcome=partial');
  expect(reportPath('yesterday', { report: 'ads', by: 'creative' })).toBe(
    '/reports?range=yesterday&report=ads&by=creative',
  );
  expect(creativePath('a b&c')).toBe('/creatives?q=a+b%26c');
});
