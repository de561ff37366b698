// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { AdRecord } from '../../../ads/record/breakRecord.ts';
import { compareBreaks } from './compareBreaks.ts';
import type { JudgedAd } from './judgeBreaks.ts';

const skipped = (adId: string, code: string, title?: string) =>
  ({ adId, duration: 5, outcome: 'skipped', reason: { code, text: `${code}.` }, ...(title ? { title } : {}) }) as const;
const shown = (adId: string) => ({ adId, duration: 5, outcome: 'stitched' }) as const;
const changes = (before: readonly AdRecord[], now: readonly JudgedAd[]) =>
  compareBreaks({ ads: before }, { ads: now }).map(({ adId, change }) => `${adId} ${change}`);

describe('the differences of a replay', () => {
  it('name ads that would play now, ads that would not, and other reasons', () => {
    expect(
      changes(
        [skipped('a', 'CREATIVE_PREPARING'), shown('b'), skipped('c', 'CREATIVE_PREPARING'), shown('d')],
        [shown('a'), skipped('b', 'BREAK_FULL'), skipped('c', 'CREATIVE_FAILED'), shown('d')],
      ),
    ).toEqual(['a playsNow', 'b skippedNow', 'c otherReason', 'd same']);
  });

  it('compare ads that an early return left out as they were selected', () => {
    const cut = skipped('a', 'EARLY_RETURN');
    expect(changes([cut], [shown('a')])).toEqual(['a same']);
    expect(changes([cut], [skipped('a', 'BREAK_FULL')])).toEqual(['a skippedNow']);
  });

  it('recognise a shown ad by the id of the ad server', () => {
    const vast = { kind: 'inLine', id: 'a' } as AdRecord['vast'] & {};
    expect(changes([{ ...shown('0-3-1'), vast }], [shown('a')])).toEqual(['a same']);
  });

  it('match ads with the same id in order, and by title', () => {
    expect(
      changes(
        [skipped('', 'BREAK_FULL', 'x'), skipped('', 'BREAK_FULL', 'y'), skipped('', 'BREAK_FULL', 'y')],
        [{ ...shown(''), title: 'y' }, skipped('', 'BREAK_FULL', 'x')],
      ),
    ).toEqual([' same', ' playsNow', ' notReplayed']);
  });

  it('contain ads that were not in the record', () => {
    expect(changes([], [shown('a')])).toEqual(['a added']);
  });

  it('state in a sentence what has changed', () => {
    const [one] = compareBreaks({ ads: [skipped('a', 'CREATIVE_PREPARING')] }, { ads: [shown('a')] });
    expect(one?.text).toMatch(/not ready/);
    const [other] = compareBreaks({ ads: [shown('a')] }, { ads: [skipped('a', 'MAX_ADS_REACHED')] });
    expect(other?.text).toContain('MAX_ADS_REACHED');
  });
});
