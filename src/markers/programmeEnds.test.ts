// SPDX-License-Identifier: Apache-2.0
// The ends of programmes are read in every spelling, where they are, and change nothing of breaks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { inSeconds, linesOf, message, readEvents, readTags } from '../../test/markers/markedBreaks.ts';
import { base64, hexadecimal } from '../../test/scte35/encodeSection.ts';
import { readMedia } from '../hls/readMedia.ts';
import { flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import { placeTags } from './placeTags.ts';

const BORDERS = Array.from({ length: 30 }, (_, index) => flicks(secondsToFlicks(10) * index));
const playlist = (...items: readonly (string | number)[]) =>
  `#EXTM3U\n${linesOf(items, () => '#EXTINF:10,\ns.ts')}\n#EXT-X-ENDLIST`;

/** The kinds of signals with their places. */
function signalsOf(text: string): string[] {
  const media = readMedia(text);
  if ('refused' in media) throw new Error(media.refused);
  const dates = media.segments.map(({ programDateTime }) => programDateTime);
  const signals = placeTags(media.markers, {
    borders: BORDERS.slice(0, media.segments.length + 1),
    dates,
    isLive: true,
  });
  return signals.map(({ kind, at }) => `${kind} ${flicksToSeconds(at)}`);
}

const [end, terminated] = [message([0x11, 7]), message([0x12, 7])];
const next = message([0x11, 7], [0x10, 8]);

test.each([
  ['a date range', `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:20Z",SCTE35-CMD=${hexadecimal(end)}`],
  ['that ends early', `#EXT-X-DATERANGE:ID="a",SCTE35-CMD=${hexadecimal(terminated)}`],
  ['named like the end of a break', `#EXT-X-DATERANGE:ID="a",SCTE35-IN=${hexadecimal(end)}`],
  ['with the start of the next one', `#EXT-OATCLS-SCTE35:${base64(next)}`],
  ['a splice point', `#EXT-X-SPLICEPOINT-SCTE35:${base64(end)}`],
  ['with its type', `#EXT-X-SCTE35:TYPE=0x11,CUE="${base64(end)}"`],
  ['EXT-X-CUE', `#EXT-X-CUE:TYPE="scte35",ID="7",TIME="20",CUE="${base64(end)}"`],
])('%s', (_, tag) => {
  expect(signalsOf(playlist(2, tag, 1))).toEqual(['programmeEnd 20']);
  expect(readTags(playlist(2, tag, 1))).toMatchObject({ breaks: [], warnings: [] });
});

test('one that is announced ahead is where its date is', () => {
  const range = `#EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:50Z",SCTE35-CMD=${hexadecimal(end)}`;
  expect(signalsOf(playlist('#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z', range, 3))).toEqual(['programmeEnd 50']);
});

test('an event of an MPD', () => {
  const scheme = 'urn:scte:scte35:2014:xml+bin';
  const signal = `<Signal xmlns="http://www.scte.org/schemas/35/2016"><Binary>${base64(next)}</Binary></Signal>`;
  const event = `<Event presentationTime="20" id="1">${signal}</Event>`;
  const stream = `<EventStream schemeIdUri="${scheme}" timescale="1">${event}</EventStream>`;
  const set =
    '<AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1"><BaseURL>v.mp4</BaseURL></Representation></AdaptationSet>';
  const mpd = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period duration="PT60S">${stream}${set}</Period></MPD>`;
  expect(readEvents(mpd)).toMatchObject({ breaks: [], warnings: [] });
});

const ofBreaks = fc.constantFrom(
  '#EXT-X-CUE-OUT:20',
  '#EXT-X-CUE-OUT',
  '#EXT-X-CUE-OUT-CONT:10/20',
  '#EXT-X-CUE-IN',
  `#EXT-OATCLS-SCTE35:${base64(message([0x34, 3, 20]))}`,
  `#EXT-OATCLS-SCTE35:${base64(message([0x35, 3]))}`,
);
const ofProgrammes = [`#EXT-OATCLS-SCTE35:${base64(end)}`, `#EXT-X-SCTE35:CUE="${base64(terminated)}"`];

test('breaks are the same with them', () => {
  const places = fc.record({
    tags: fc.array(ofBreaks, { maxLength: 2 }),
    ends: fc.subarray(ofProgrammes),
    isFirst: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(places, { maxLength: 12 }), (all) => {
      const without = all.flatMap(({ tags }) => [...tags, 1]);
      const withEnds = all.flatMap(({ tags, ends, isFirst }) => [
        ...(isFirst ? [...ends, ...tags] : [...tags, ...ends]),
        1,
      ]);
      const [plain, read] = [readTags(playlist(...without, 1)), readTags(playlist(...withEnds, 1))];
      expect(read.breaks.map(inSeconds)).toEqual(plain.breaks.map(inSeconds));
      expect(read.warnings.map(({ text }) => text.replace(/in line \d+/, ''))).toEqual(
        plain.warnings.map(({ text }) => text.replace(/in line \d+/, '')),
      );
    }),
    lawRuns(300),
  );
});
