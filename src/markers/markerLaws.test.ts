// SPDX-License-Identifier: Apache-2.0
// Whatever tags a playlist contains, the markers are in order, do not overlap and are within the asset.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { insert, message, readTags } from '../../test/markers/markedBreaks.ts';
import { base64, hexadecimal } from '../../test/scte35/encodeSection.ts';
import { vodMarkers } from './vodMarkers.ts';

const sections = [
  ...[true, false].map((isOut) => insert(isOut, 10, { id: 1 })),
  ...[0x22, 0x23, 0x30, 0x31, 0x34, 0x35].map((typeId) => message([typeId, 2, 10])),
];
const length = fc.constantFrom('', '0', '5', '12.5', '30', '-1', '1e9', 'x', '999999999', 'PT8S', '4/9');
const section = fc.constantFrom(...sections);
const id = fc.constantFrom('1', '2');
const date = fc.constantFrom(
  '2026-01-01T00:00:10Z',
  '2026-01-01T00:00:40.5Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  'x',
);
const tag = fc.oneof(
  length.map((value) => `#EXT-X-CUE-OUT${value && `:${value}`}`),
  fc.tuple(length, id).map(([value, own]) => `#EXT-X-CUE-OUT:ID=${own},DURATION=${value}`),
  length.map((value) => `#EXT-X-CUE-OUT-CONT:${value}`),
  fc.tuple(length, length).map(([a, b]) => `#EXT-X-CUE-OUT-CONT:ElapsedTime=${a},Duration=${b}`),
  fc.constantFrom(
    '#EXT-X-CUE-IN',
    '#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT4S',
    '#EXT-X-CUE-CONT:ID=1',
    '#EXT-X-SCTE35:CUE-IN=YES',
  ),
  fc
    .tuple(fc.constantFrom('SpliceOut', 'SpliceIn', 'SpliceInsert'), length, id)
    .map(([type, value, own]) => `#EXT-X-CUE:TYPE=${type},DURATION=${value},ID=${own},TIME=3`),
  fc
    .tuple(fc.constantFrom('EXT-OATCLS-SCTE35', 'EXT-X-SPLICEPOINT-SCTE35'), section)
    .map(([name, bytes]) => `#${name}:${base64(bytes)}`),
  fc
    .tuple(section, fc.constantFrom('', ',CUE-OUT=YES', ',CUE-OUT=CONT,ELAPSED=7'))
    .map(([bytes, out]) => `#EXT-X-SCTE35:CUE="${base64(bytes)}"${out}`),
  fc
    .tuple(fc.constantFrom('OUT', 'IN', 'CMD'), section, id, date, date, length)
    .map(
      ([name, bytes, own, start, end, value]) =>
        `#EXT-X-DATERANGE:ID="${own}",START-DATE="${start}",END-DATE="${end}",PLANNED-DURATION=${value},SCTE35-${name}=${hexadecimal(bytes)}`,
    ),
);
const segment = fc.constantFrom(
  '#EXTINF:4,\ns.ts',
  '#EXTINF:0.04,\ns.ts',
  '#EXTINF:0,\ns.ts',
  '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:9,\ns.ts',
);
const line = fc.oneof(
  { arbitrary: segment, weight: 3 },
  { arbitrary: tag, weight: 2 },
  fc.constant('#EXT-X-DISCONTINUITY'),
);

test('markers are in order, do not overlap and are within the asset', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const { breaks, end } = readTags(['#EXTM3U', ...lines].join('\n'));
      for (const [i, each] of breaks.entries()) {
        if (i > 0) expect(each.at).toBeGreaterThanOrEqual(breaks[i - 1]!.at);
        if (each.until !== undefined) expect(each.until).toBeGreaterThanOrEqual(each.at);
      }
      let before = 0;
      for (const { at: start, until } of vodMarkers(breaks, end).markers) {
        expect(start).toBeGreaterThanOrEqual(before);
        if (until !== undefined) expect(until).toBeGreaterThan(start);
        before = until ?? start;
        expect(before).toBeLessThanOrEqual(end);
      }
    }),
    lawRuns(600),
  );
});
