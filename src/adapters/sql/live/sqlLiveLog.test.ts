// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LiveEntry, PlacedSignal, Slot, SlotSegment } from '../../../live/slot.ts';
import { flicks, millis } from '../../../time/units.ts';
import { readEntry, writeEntry } from './sqlLiveLog.ts';

const text = fc.string({ unit: 'binary', maxLength: 30 });
const url = fc
  .tuple(
    fc.constantFrom('https://cdn.test/live/', 'https://cdn.test/live/audio/', ''),
    text,
    fc.constantFrom('.m4s?t=abc', '🎬', ''),
  )
  .map((parts) => parts.join(''));
const whole = fc.nat(2 ** 40);
const length = whole.map(flicks);
const instant = fc.record({ millis: whole.map(millis), rest: fc.nat(705_599).map(flicks) });
const media = fc.record({ url, range: fc.record({ start: whole, length: whole }) }, { requiredKeys: ['url'] });
const segment: fc.Arbitrary<SlotSegment> = fc.record(
  {
    number: whole,
    duration: fc.constantFrom(flicks(10), flicks(20)),
    media,
    init: fc.oneof(media, fc.constant({ url: 'https://cdn.test/init.mp4' })),
    keys: fc.array(fc.constantFrom('METHOD=AES-128,URI="k"', 'METHOD=SAMPLE-AES'), { maxLength: 2 }),
    initKeys: fc.array(fc.constantFrom('METHOD=AES-128,URI="k"', 'METHOD=SAMPLE-AES'), { maxLength: 2 }),
    protection: fc.array(fc.constantFrom('<ContentProtection/>', '<x/>'), { maxLength: 2 }),
    isGap: fc.constant(true as const),
    mediaTime: fc.integer(),
    late: length,
  },
  { requiredKeys: ['number', 'duration', 'media'] },
);
const slot: fc.Arbitrary<Slot> = fc.record(
  {
    number: whole,
    start: instant,
    duration: fc.constantFrom(flicks(10), flicks(20)),
    isNewStretch: fc.boolean(),
    originDate: whole.map(millis),
    originStretch: text,
    tags: fc.array(text),
    missed: fc.nat(),
    isAway: fc.constant(true as const),
    // Away slots are between others.
    segments: fc.array(fc.array(segment, { maxLength: 3 }), { maxLength: 4 }),
  },
  { requiredKeys: ['number', 'start', 'duration', 'isNewStretch', 'segments'] },
);
const signal: fc.Arbitrary<PlacedSignal> = fc.record(
  {
    kind: fc.constantFrom('out' as const, 'in' as const),
    at: instant,
    source: text,
    line: fc.nat(),
    raw: text,
    duration: length,
    elapsed: length,
    id: text,
    hint: text,
    rank: fc.nat(),
    isPoint: fc.boolean(),
  },
  { requiredKeys: ['kind', 'at', 'source', 'line', 'raw'] },
);
const numbers = fc.array(fc.nat(), { maxLength: 3 });
const entry: fc.Arbitrary<LiveEntry> = fc.record({
  number: whole,
  readAt: whole.map(millis),
  visibleAt: whole.map(millis),
  anchor: fc.record({ start: instant, lag: fc.nat() }),
  rules: fc.record(
    {
      fill: fc.constantFrom('slate' as const, 'content' as const),
      maxBreak: length,
      markers: fc.constant('pass' as const),
    },
    { requiredKeys: ['fill', 'maxBreak'] },
  ),
  checkpoint: fc.record({ numbers, discontinuity: fc.nat() }),
  awayReason: text,
  slots: fc.array(slot, { maxLength: 4 }),
  signals: fc.array(signal, { maxLength: 3 }),
});

test('an entry is read back as written', () => {
  fc.assert(
    fc.property(entry, (given) => {
      expect(readEntry(given.number, writeEntry(given))).toEqual(given);
    }),
  );
});

test('a slot of eight renditions with long URLs takes less than a kilobyte', () => {
  const folder = `https://cdn.example.test/${'a'.repeat(40)}/live`;
  const token = `?token=${'0123456789abcdef'.repeat(8)}`;
  const rung = (name: string): SlotSegment[] => [
    {
      number: 123_456_789,
      duration: flicks(1_354_752_000),
      mediaTime: 1_234_567_890_123,
      media: { url: `${folder}/${name}/segment-123456789.m4s${token}` },
      init: { url: `${folder}/${name}/init.mp4${token}` },
    },
  ];
  const written = writeEntry({
    number: 1,
    readAt: millis(1_772_366_400_000),
    visibleAt: millis(1_772_366_401_000),
    signals: [],
    anchor: { start: { millis: millis(1_772_366_400_000), rest: flicks(0) }, lag: 10_000 },
    rules: { fill: 'slate', maxBreak: flicks(127_008_000_000) },
    slots: [
      {
        number: 1,
        start: { millis: millis(1_772_366_400_000), rest: flicks(0) },
        isNewStretch: false,
        duration: flicks(1_354_752_000),
        segments: '12345678'.split('').map((name) => rung(`rendition-${name}`)),
      },
    ],
  });
  expect(written.length).toBeLessThan(1000);
});
