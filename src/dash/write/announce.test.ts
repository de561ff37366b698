// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { decidedView } from '../../../test/laws/decidedView.ts';
import { readMpd } from '../../../test/laws/readBack.ts';
import { mpdOf } from '../../../test/laws/syntheticChannel.ts';
import { windowOf } from '../../playback/view/view.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { announceSpans } from './periods.ts';
import { writeMpd } from './writeMpd.ts';

test('each Period of a break announces the rest of the break, and the Period of an ad the ad', async () => {
  const text = mpdOf(await decidedView({ seconds: [4, 3], breakSeconds: 10, at: 14_000 }));
  const announced = readMpd(text).map(({ id, announced }) =>
    [id, ...announced.map((one) => `${one.id} ${one.duration}`)].join(', '),
  );
  expect(announced).toEqual(['0-0-0, 0-0 10, 0-0-0 4', '0-0-1, 0-0 6, 0-0-1 3', '0-0-2, 0-0 3', '0-1']);
  // EventStream comes before AdaptationSet (5.3.2.3); Event@id is unique within its scheme, and in the Period too.
  expect(text).toMatch(/<Period [^>]*>\n<EventStream schemeIdUri="urn:midroll:break:2026" timescale="1000000">/);
  const ids = [...text.matchAll(/<Event [^>]* id="(\d+)">/g)].map(([, id]) => Number(id));
  expect(ids).toEqual([0, 2 ** 31, 4000, 2 ** 31 + 4000, 7000]);
});

test('content after the announced end of a break that continues announces nothing', () => {
  const spanFrom = (seconds: number): Span => {
    const within = { id: 'b', startsAt: millis(1000), duration: secondsToFlicks(10) };
    const stretch = { id: 's', start: { millis: millis(1000 * seconds), rest: flicks(0) } };
    return { within, stretch } as unknown as Span;
  };
  expect(announceSpans([{ span: spanFrom(4) }], millis(0))).toContain('presentationTime="0" duration="7000000"');
  for (const seconds of [11, 12, 60]) expect(announceSpans([{ span: spanFrom(seconds) }], millis(0))).toBe('');
});

test('announces nothing when announcements are off', async () => {
  const view = await decidedView({ seconds: [4], breakSeconds: 10, at: 12_000 });
  const { airing, now, depth } = view;
  const window = windowOf(view);
  const { ladder, programme } = airing;
  const urls = { clockUrl: 'https://t/', baseUrl: 's/' };
  const frame = { ladder, availabilityStart: programme.startedAt, now, depth, ...urls };
  expect(writeMpd(window, frame)).toContain('EventStream');
  expect(writeMpd(window, { ...frame, announces: false })).not.toContain('EventStream');
});
