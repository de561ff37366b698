// SPDX-License-Identifier: Apache-2.0
// Documents as ad servers send them, and a description of the ads that a person would expect from each.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseMediaFiles } from '../../src/ads/pod/chooseMediaFiles.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { readVast } from '../../src/vast/read/readVast.ts';
import type { VastAd } from '../../src/vast/response.ts';

const folder = join(import.meta.dirname, 'documents');
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.xml'));
const rung = { id: 'v0', kind: 'video', codecs: 'avc1.640028', width: 1920, height: 1080 } as const;
const ladder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  targetDuration: 2,
  rungs: [{ ...rung, bandwidth: 5_000_000, averageBandwidth: 4_000_000 }],
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeAd(ad: VastAd): string {
  const { id = '-', sequence, impressions, errorUrls } = ad;
  const position = sequence === undefined ? '' : `#${sequence} `;
  const urls = `${plural(impressions.length, 'impression')}, ${plural(errorUrls.length, 'Error URL')}`;
  if (ad.kind === 'wrapper') {
    const allows = [
      ad.followAdditionalWrappers ? 'wrappers' : 'no wrappers',
      ad.allowMultipleAds ? 'many ads' : 'one ad',
      ad.fallbackOnNoAd === false ? 'no fallback' : 'fallback',
    ].join(', ');
    const blocked = ad.blockedCategories.map(({ value }) => value).join();
    return `${position}wrapper ${id} to ${ad.tagUrl} (${allows}; blocks ${blocked}); ${urls}, ${plural(ad.verifications.length, 'verification')}`;
  }
  const linear = ad.creatives.find((creative) => creative.linear !== undefined)?.linear;
  const seconds = linear?.duration === undefined ? '?' : String(linear.duration / 705_600_000);
  const chosen = chooseMediaFiles(ad, ladder);
  const media =
    'code' in chosen
      ? chosen.code
      : chosen.sources.map(({ key, source }) => (key === source.url ? key : `${key} at ${source.url}`)).join(' else ');
  const events = linear?.trackingEvents.map(({ event }) => event).join() ?? '';
  return `${position}${id} "${ad.adTitle ?? ''}" ${seconds} s; ${urls}; ${events === '' ? 'no events' : `events ${events}`}; ${media}`;
}

const expected: Readonly<Record<string, readonly string[]>> = {
  'features/vast3-many-qualities.xml': [
    '5925573263 "Winter tyres" 15 s; 2 impressions, 1 Error URL; events start,firstQuartile,midpoint,thirdQuartile,complete,progress,progress; https://media.example/file/1080.mp4 else https://media.example/file/720.mp4 else https://media.example/file/360.mp4 else https://media.example/file/hls/master.m3u8 else https://media.example/file/144.3gp',
  ],
  'features/pod-and-stand-alone.xml': [
    's1 "Stand-in" 30 s; 1 impression, 0 Error URLs; no events; ad-id.org:STND0001000H s.mp4 at https://m.example/s.mp4',
    '#2 p2 "Second" 20 s; 1 impression, 0 Error URLs; no events; ad-id.org:SCND0001000H 2.mp4 at https://m.example/2.mp4',
    '#1 p1 "First" 10 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
  ],
  'features/full-wrapper.xml': [
    '#1 wrapper w to https://dsp.example/vast?gdpr=[REGULATIONS]&consent=[GDPRCONSENT]&p={price} (no wrappers, many ads, no fallback; blocks IAB7-39,IAB8-5); 1 impression, 1 Error URL, 1 verification',
  ],
  'features/script-and-video.xml': [
    'i "Interactive" 30 s; 1 impression, 0 Error URLs; no events; https://m.example/plain.mp4?token=a/b',
  ],
  'features/conditional-script.xml': ['c "Maybe" 15 s; 1 impression, 1 Error URL; no events; CONDITIONAL'],
  'features/mezzanine-and-captions.xml': [
    'm "Mezzanine" 30 s; 1 impression, 0 Error URLs; no events; ad-id.org:CNPA0484000H master.mov at https://m.example/master.mov else https://m.example/720.mp4',
  ],
  'features/no-ad-with-error-url.xml': ['Error URL https://e.example/none?c=[ERRORCODE]'],
  'features/prefixes-and-comments.xml': [
    'n "Name spaces" 6 s; 1 impression, 0 Error URLs; no events; https://m.example/manifest.mpd',
  ],
  'features/audio-and-nonlinear.xml': [
    'a "Only sound" 30 s; 0 impressions, 0 Error URLs; no events; NO_MEDIA_FILE',
    'o "Overlay" ? s; 0 impressions, 0 Error URLs; no events; NOT_LINEAR',
  ],
  'features/vast1.xml': ['1 "" 15 s; 0 impressions, 0 Error URLs; no events; NO_MEDIA_FILE'],
  'features/second-creative-with-media.xml': [
    'two "Second creative" 30 s; 1 impression, 0 Error URLs; no events; clearcast.co.uk:ABC/DEFG123/030 full at https://m.example/full',
    'line 4: INVALID_NUMBER',
  ],
  'features/vast40-universal-ad-id.xml': [
    'o "VAST 4.0 wrote it as an attribute" 30 s; 1 impression, 0 Error URLs; no events; ad-id:8465000H 1.mp4 at https://m.example/1.mp4',
  ],
  'features/vast1-wrapper-and-tracking.xml': [
    'old "Of 2008" 15 s; 2 impressions, 1 Error URL; events start,start,complete; https://m.example/old.mp4 else https://m.example/old.flv',
    'wrapper on to https://w.example/next (wrappers, one ad, fallback; blocks ); 1 impression, 0 Error URLs, 0 verifications',
  ],
  'values/missing-types-and-duration.xml': [
    '- "" 30 s; 1 impression, 0 Error URLs; no events; https://m.example/get?id=77 else https://m.example/zero.mp4',
    'line 1: INVALID_URL',
  ],
  'values/durations.xml': [
    'short "Minutes and seconds" 30 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
    'iso "ISO 8601" 15.5 s; 1 impression, 0 Error URLs; no events; https://m.example/2.mp4',
    'comma "Comma" 14.96 s; 1 impression, 0 Error URLs; no events; https://m.example/3.mp4',
    'frames "With frames" 20 s; 1 impression, 0 Error URLs; no events; https://m.example/4.mp4',
    'hour "Unpadded" 65 s; 1 impression, 0 Error URLs; no events; https://m.example/5.mp4',
  ],
  'values/urls.xml': [
    'u "Addresses" 10 s; 3 impressions, 0 Error URLs; no events; https://m.example/no-scheme.mp4 else HTTPS://M.EXAMPLE/Upper.MP4 else https://m.example/ümlaut%20ä.mp4',
    'line 4: INVALID_URL',
    'line 8: INVALID_URL',
  ],
  'values/neither-inline-nor-wrapper.xml': [
    'empty "" ? s; 0 impressions, 0 Error URLs; no events; NEITHER_INLINE_NOR_WRAPPER',
    'unknown "" ? s; 0 impressions, 0 Error URLs; no events; NEITHER_INLINE_NOR_WRAPPER',
    'both "Both" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
    '#0 zero "Counted from nought" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/2.mp4',
    'line 1: NEITHER_INLINE_NOR_WRAPPER',
    'line 1: EXTRA_ELEMENT',
    'line 1: NEITHER_INLINE_NOR_WRAPPER',
    'line 2: EXTRA_ELEMENT',
    'line 2: INVALID_NUMBER',
  ],
  'values/events.xml': [
    'e "Events" 30 s; 1 impression, 0 Error URLs; events start,first_quartile,midpoint,progress,progress,viewable,complete,complete; https://m.example/1.mp4',
    'line 2: UNKNOWN_EVENT',
    'line 3: MISSING_EVENT',
    'line 4: UNKNOWN_EVENT',
  ],
  'values/padded-tag-url.xml': [
    'wrapper g to https://ads.example/gampad/ads?sz=640x480&correlator=[timestamp]&cust_params=a%3Db%26c%3Dd (no wrappers, many ads, fallback; blocks ); 0 impressions, 1 Error URL, 0 verifications',
  ],
  'encodings/lower-case-with-bom.xml': [
    'lower "Lower case" 30 s; 1 impression, 0 Error URLs; events firstQuartile; http://m.example/a%20b.mp4',
    'line 3: BITRATE_IN_BITS',
  ],
  'encodings/latin1-with-ampersand.xml': [
    '1 "Café français" 20.5 s; 1 impression, 0 Error URLs; no events; http://m.example/a.mp4 else http://m.example/a.flv',
    'line 1: BARE_AMPERSAND',
  ],
  'encodings/utf16.xml': ['w "Żółw" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4'],
  'encodings/windows-1252.xml': [
    'q "“Curly” – dash" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
  ],
  'encodings/forbidden-characters.xml': [
    'c "Bell\u0007 and 😀 and &nbsp; and ￾" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
    'line 1: BARE_AMPERSAND',
    'line 1: CHARACTER',
    'line 1: CHARACTER',
  ],
  'malformed/truncated.xml': [
    'whole "Whole" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/w.mp4',
    'line 1: BREAKS_OFF',
  ],
  'malformed/content-after-root.xml': [
    't "And then some" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/1.mp4',
  ],
  'malformed/stray-end-tags.xml': [
    'first "first" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/first.mp4',
    'second "second" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/second.mp4',
    'third "third" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/third.mp4',
    'line 2: CLOSE_TAG',
    'line 4: CLOSE_TAG',
  ],
  'malformed/typographic-quotes.xml': [
    'quoted "quoted" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/quoted.mp4',
    'line 1: MALFORMED',
    'line 2: QUOTES',
  ],
  'malformed/content-before-root.xml': [
    'noticed "noticed" 15 s; 1 impression, 0 Error URLs; no events; https://m.example/noticed.mp4',
    'line 3: TEXT_OUTSIDE',
  ],
  'notVast/web-page.xml': ['fails on line 1 with 100: WEB_PAGE'],
  'notVast/entity-declaration.xml': ['fails on line 1 with 100: INTERNAL_SUBSET'],
  'notVast/empty.xml': ['fails on line 1 with 100: EMPTY'],
  'notVast/blank.xml': ['fails on line 1 with 100: EMPTY'],
  'notVast/jsonp.xml': ['fails on line 1 with 100: SCRIPT'],
  'notVast/json.xml': ['fails on line 1 with 100: JSON'],
  'notVast/escaped.xml': ['fails on line 1 with 100: ESCAPED'],
};

test.each(documents)('%s', (name) => {
  const read = readVast(readFileSync(join(folder, name)));
  const actual =
    'reason' in read
      ? [`fails on line ${read.line} with ${read.code}: ${read.fault}`]
      : [
          ...read.ads.map(describeAd),
          ...read.errorUrls.map((url) => `Error URL ${url}`),
          ...read.warnings.map(({ line, code }) => `line ${line}: ${code}`),
        ];
  expect(actual).toEqual(expected[name]);
});
