// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../../test/laws/syntheticMedia.ts';
import { adClip } from '../../ads/placement/breakClips.ts';
import { trackedClip } from '../../ads/placement/trackedClip.ts';
import { noMemos } from '../../cache/memo.ts';
import { flicks, millis } from '../../time/units.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { place, type Span } from '../../timeline/programme/span.ts';
import { fillForm, periodForm } from './periodForm.ts';

const rate = { n: 25, d: 1 };
const shape = { name: 'video', rate, segments: [50, 50, 50], qualities: 2 };

/** As a channel has it that was read from the store: no two channels share an object. */
const newLadder = () => ladderOf([syntheticAsset(shape)]);

function adSpan(adId: string, bandwidth: number, ladder = newLadder()): Span {
  const media = syntheticMedia('m1', 100, ladder);
  const rungs = media.rungs.map((rung) => ({ ...rung, bandwidth }));
  const clip = trackedClip(adClip({ ...media, rungs }, ladder, 100, ''), { adId, mediaId: 'm1', frames: 100 });
  const placed = place(clip, { millis: millis(0), rest: flicks(0) });
  const within = { id: 'b', startsAt: placed.startsAt, duration: clip.duration };
  return { id: adId, adId, within, placed, numbers: [], discontinuity: 0, memos: noMemos() };
}

const textOf = (span: Span): string =>
  periodForm(span, newLadder())!
    .map((form) => fillForm(form, span.adId ?? '', 0, form.ends.length))
    .join('');

test('channels that show the same media share its form', () => {
  const [one, other] = [newLadder(), newLadder()];
  expect(periodForm(adSpan('0-1-0', 900_000, one), one)).toBe(periodForm(adSpan('0-7-2', 900_000, other), other));
});

test('each ad has its own URLs', () => {
  expect(textOf(adSpan('0-1-0', 900_000))).toContain('media="0-1-0/m1/100/');
  expect(textOf(adSpan('0-7-2', 900_000))).toContain('media="0-7-2/m1/100/');
});

test('media that were made again with the same id have a form of their own', () => {
  expect(textOf(adSpan('0-1-0', 900_000))).toContain('bandwidth="900000"');
  expect(textOf(adSpan('0-1-0', 800_000))).not.toContain('bandwidth="900000"');
});
