// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis, secondsToFlicks } from '../time/units.ts';
import { type Interstitial, interstitialTags } from './interstitials.ts';

const common = { id: '1-5', startsAt: millis(60_000), planned: secondsToFlicks(30), list: 'breaks/1-5.json' };
const range = (date: string) => `#EXT-X-DATERANGE:ID="1-5",CLASS="com.apple.hls.interstitial",START-DATE="${date}"`;
const early = range('1970-01-01T00:00:59.984Z');
const exact = range('1970-01-01T00:01:00.000Z');
const onAir = 'PLANNED-DURATION=30.016,X-ASSET-LIST="breaks/1-5.json"';
const list = 'PLANNED-DURATION=30.0,X-ASSET-LIST="breaks/1-5.json"';

test.each<[string, Interstitial, readonly string[]]>([
  [
    'a break on air replaces content, which goes on where its ads end',
    { kind: 'onAir', ...common },
    [`${early},${onAir},X-RESTRICT="SKIP",X-TIMELINE-OCCUPIES="RANGE"`],
  ],
  [
    'the end of a break that is earlier than announced is added, and nothing else changes',
    { kind: 'onAir', ...common, limit: secondsToFlicks(12.5) },
    [
      `${early},${onAir},X-RESTRICT="SKIP",X-TIMELINE-OCCUPIES="RANGE"`,
      `${early},X-PLAYOUT-LIMIT=12.518,X-RESUME-OFFSET=12.516`,
    ],
  ],
  [
    'ads before the content of a live channel are played once',
    { kind: 'onAir', ...common, cue: 'PRE' },
    [`${exact},CUE="PRE,ONCE",${list},X-RESTRICT="SKIP",X-TIMELINE-OCCUPIES="RANGE"`],
  ],
  [
    'a break on demand is inserted at its border',
    { kind: 'insert', ...common },
    [`${early},${list},X-RESUME-OFFSET=0.016,X-RESTRICT="SKIP,JUMP",X-TIMELINE-OCCUPIES="POINT"`],
  ],
  [
    'a break after the content',
    { kind: 'insert', ...common, cue: 'POST' },
    [`${exact},CUE="POST,ONCE",${list},X-RESUME-OFFSET=0,X-RESTRICT="SKIP,JUMP",X-TIMELINE-OCCUPIES="POINT"`],
  ],
  [
    'a break on demand replaces content of its planned length',
    { kind: 'replace', ...common },
    [`${early},${list},X-RESUME-OFFSET=30.016,X-RESTRICT="SKIP,JUMP",X-TIMELINE-OCCUPIES="RANGE"`],
  ],
])('%s', (_, one, tags) => expect(interstitialTags([one])).toBe(tags.map((tag) => `${tag}\n`).join('')));
