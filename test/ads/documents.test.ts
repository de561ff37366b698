// Documents as ad servers send them, and what a person who reads them would say that they offer.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseMediaFiles } from '../../src/ads/pod/chooseMediaFiles.ts';
import type { Ladder } from '../../src/timeline/ladder.ts';
import { readVast } from '../../src/vast/read/readVast.ts';
import type { VastAd } from '../../src/vast/response.ts';
import type { VastWarning } from '../../src/vast/vastWarning.ts';

const folder = join(import.meta.dirname, 'documents');
const rung = { id: 'v0', kind: 'video', codecs: 'avc1.640028', width: 1920, height: 1080 } as const;
const ladder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  targetDuration: 2,
  rungs: [{ ...rung, bandwidth: 5_000_000, averageBandwidth: 4_000_000 }],
};

function tell(ad: VastAd): string {
  const { id = '-', sequence, impressions, errorUrls } = ad;
  const place = sequence === undefined ? '' : `#${sequence} `;
  const heard = `${impressions.length} impressions, ${errorUrls.length} errors`;
  if (ad.kind === 'wrapper') {
    const allows = [
      ad.followAdditionalWrappers ? 'follows' : 'ends here',
      ad.allowMultipleAds ? 'many' : 'one',
      ad.fallbackOnNoAd === false ? 'no fallback' : 'fallback',
    ].join(', ');
    const blocked = ad.blockedCategories.map(({ value }) => value).join();
    return `${place}wrapper ${id} to ${ad.tagUrl} (${allows}; blocks ${blocked}); ${heard}, ${ad.verifications.length} verifications`;
  }
  const linear = ad.creatives.find((creative) => creative.linear !== undefined)?.linear;
  const seconds = linear?.duration === undefined ? '?' : String(linear.duration / 705_600_000);
  const chosen = chooseMediaFiles(ad, ladder);
  const media =
    'code' in chosen
      ? chosen.code
      : chosen.sources.map(({ key, source }) => (key === source.url ? key : `${key} at ${source.url}`)).join(' else ');
  const events = linear?.trackingEvents.map(({ event }) => event).join() ?? '';
  return `${place}${id} "${ad.adTitle ?? ''}" ${seconds} s; ${heard}; tells ${events || 'nobody'}; ${media}`;
}

const table: Readonly<Record<string, readonly string[]>> = {
  '01-vast3-many-qualities.xml': [
    '5925573263 "Winter tyres" 15 s; 2 impressions, 1 errors; tells start,firstQuartile,midpoint,thirdQuartile,complete,progress,progress; https://media.example/file/1080.mp4 else https://media.example/file/720.mp4 else https://media.example/file/360.mp4 else https://media.example/file/hls/master.m3u8 else https://media.example/file/144.3gp',
  ],
  '02-pod-and-fallback.xml': [
    's1 "Stand-in" 30 s; 1 impressions, 0 errors; tells nobody; ad-id.org:STND0001000H s.mp4 at https://m.example/s.mp4',
    '#2 p2 "Second" 20 s; 1 impressions, 0 errors; tells nobody; ad-id.org:SCND0001000H 2.mp4 at https://m.example/2.mp4',
    '#1 p1 "First" 10 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4',
  ],
  '03-wrapper-with-everything.xml': [
    '#1 wrapper w to https://dsp.example/vast?gdpr=[REGULATIONS]&consent=[GDPRCONSENT]&p={price} (ends here, many, no fallback; blocks IAB7-39,IAB8-5); 1 impressions, 1 errors, 1 verifications',
  ],
  '04-lower-case-bom.xml': [
    'lower "Lower case" 30 s; 1 impressions, 0 errors; tells firstQuartile; http://m.example/a%20b.mp4',
    'line 3: mediafile@bitrate 1500000',
  ],
  '05-latin1-ampersand.xml': [
    '1 "Café français" 20.5 s; 1 impressions, 0 errors; tells nobody; http://m.example/a.mp4 else http://m.example/a.flv',
    'line 1: "&amp;"',
  ],
  '06-script-beside-video.xml': [
    'i "Interactive" 30 s; 1 impressions, 0 errors; tells nobody; https://m.example/plain.mp4?token=a/b',
  ],
  '07-script-only-conditional.xml': ['c "Maybe" 15 s; 1 impressions, 1 errors; tells nobody; CONDITIONAL'],
  '08-mezzanine-and-captions.xml': [
    'm "Mezzanine" 30 s; 1 impressions, 0 errors; tells nobody; ad-id.org:CNPA0484000H master.mov at https://m.example/master.mov else https://m.example/720.mp4',
  ],
  '09-no-ad-with-error.xml': ['without an ad, tells https://e.example/none?c=[ERRORCODE]'],
  '10-prefixed-and-commented.xml': [
    'n "Name spaces" 6 s; 1 impressions, 0 errors; tells nobody; https://m.example/manifest.mpd',
  ],
  '11-audio-and-nonlinear.xml': [
    'a "Only sound" 30 s; 0 impressions, 0 errors; tells nobody; NO_MEDIA_FILE',
    'o "Overlay" ? s; 0 impressions, 0 errors; tells nobody; NOT_LINEAR',
  ],
  '12-cut-off.xml': [
    'whole "Whole" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/w.mp4',
    'line 1: InLine',
  ],
  '13-untyped-and-untimed.xml': [
    '- "" 30 s; 1 impressions, 0 errors; tells nobody; https://m.example/get?id=77 else https://m.example/zero.mp4',
    'line 1: Impression "[IMPRESSION]"',
  ],
  '14-vast1.xml': ['1 "" 15 s; 0 impressions, 0 errors; tells nobody; NO_MEDIA_FILE'],
  '15-page.xml': ['refused on line 1 with 100: WEB_PAGE'],
  '16-entities.xml': ['refused on line 1 with 100: INTERNAL_SUBSET'],
  '17-durations-as-they-come.xml': [
    'short "Minutes and seconds" 30 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4',
    'iso "ISO 8601" 15.5 s; 1 impressions, 0 errors; tells nobody; https://m.example/2.mp4',
    'comma "Comma" 14.96 s; 1 impressions, 0 errors; tells nobody; https://m.example/3.mp4',
    'frames "With frames" 20 s; 1 impressions, 0 errors; tells nobody; https://m.example/4.mp4',
    'hour "Unpadded" 65 s; 1 impressions, 0 errors; tells nobody; https://m.example/5.mp4',
  ],
  '18-addresses-as-they-come.xml': [
    'u "Addresses" 10 s; 3 impressions, 0 errors; tells nobody; https://m.example/no-scheme.mp4 else HTTPS://M.EXAMPLE/Upper.MP4 else https://m.example/ümlaut%20ä.mp4',
    'line 4: Impression "javascript:alert(1)"',
    'line 8: MediaFile "/relative.mp4"',
  ],
  '19-after-the-end.xml': ['t "And then some" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4'],
  '20-two-creatives-one-without-media.xml': [
    'two "Second creative" 30 s; 1 impressions, 0 errors; tells nobody; clearcast.co.uk:ABC/DEFG123/030 full at https://m.example/full',
    'line 4: MediaFile@bitrate "n/a"',
  ],
  '21-old-universal-id.xml': [
    'o "VAST 4.0 wrote it as an attribute" 30 s; 1 impressions, 0 errors; tells nobody; ad-id:8465000H 1.mp4 at https://m.example/1.mp4',
  ],
  '22-ads-of-no-kind.xml': [
    'empty "" ? s; 0 impressions, 0 errors; tells nobody; NEITHER_INLINE_NOR_WRAPPER',
    'unknown "" ? s; 0 impressions, 0 errors; tells nobody; NEITHER_INLINE_NOR_WRAPPER',
    'both "Both" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4',
    '#0 zero "Counted from nought" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/2.mp4',
    'line 1: Ad InLine Wrapper',
    'line 1: Ad Sponsored InLine Wrapper',
    'line 1: Ad InLine Wrapper',
    'line 2: Ad InLine Wrapper',
    'line 2: Ad@sequence "1st"',
  ],
  '23-events-as-they-come.xml': [
    'e "Events" 30 s; 1 impressions, 0 errors; tells start,first_quartile,midpoint,progress,progress,viewable,complete,complete; https://m.example/1.mp4',
    'line 2: Tracking "first_quartile"',
    'line 3: Tracking',
    'line 4: Tracking "viewable"',
  ],
  '24-wrapper-with-a-padded-address.xml': [
    'wrapper g to https://ads.example/gampad/ads?sz=640x480&correlator=[timestamp]&cust_params=a%3Db%26c%3Dd (ends here, many, fallback; blocks ); 0 impressions, 1 errors, 0 verifications',
  ],
  '25-empty.xml': ['refused on line 1 with 100: EMPTY'],
  '26-blank.xml': ['refused on line 1 with 100: EMPTY'],
  '27-jsonp.xml': ['refused on line 1 with 100: SCRIPT'],
  '28-utf16.xml': ['w "Żółw" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4'],
  '29-windows-1252.xml': ['q "“Curly” – dash" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4'],
  '30-characters-that-xml-forbids.xml': [
    'c "Bell\u0007 and 😀 and &nbsp; and ￾" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/1.mp4',
    'line 1: "&amp;"',
    'line 1: ',
    'line 1: ',
  ],
  '31-vast1-wrapped-and-tracked.xml': [
    'old "Of 2008" 15 s; 2 impressions, 1 errors; tells start,start,complete; https://m.example/old.mp4 else https://m.example/old.flv',
    'wrapper on to https://w.example/next (follows, one, fallback; blocks ); 1 impressions, 0 errors, 0 verifications',
  ],
  '32-stray-end-tags.xml': [
    'first "first" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/first.mp4',
    'second "second" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/second.mp4',
    'third "third" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/third.mp4',
    'line 2: </Ad>',
    'line 4: </VAST>',
  ],
  '33-typographic-quotes.xml': [
    'quoted "quoted" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/quoted.mp4',
    'line 1: ',
    'line 2: ',
  ],
  '34-behind-a-notice.xml': [
    'noticed "noticed" 15 s; 1 impressions, 0 errors; tells nobody; https://m.example/noticed.mp4',
    'line 3: VAST',
  ],
  '35-json.xml': ['refused on line 1 with 100: JSON'],
  '36-escaped.xml': ['refused on line 1 with 100: ESCAPED'],
};

/** Of a warning its line and those of the expected names that it holds: the words between them are free. */
const tellWarning = ({ line, text }: VastWarning, expected = ''): string => {
  const names = expected.replace(/^line \d+: /, '').split(' ');
  return `line ${line}: ${names.filter((name) => text.includes(name)).join(' ')}`;
};

test.each(readdirSync(folder))('%s', (file) => {
  const read = readVast(readFileSync(join(folder, file)));
  const warned = table[file]!.filter((line) => line.startsWith('line '));
  const told =
    'reason' in read
      ? [`refused on line ${read.line} with ${read.code}: ${read.fault}`]
      : [
          ...read.ads.map(tell),
          ...read.errorUrls.map((url) => `without an ad, tells ${url}`),
          ...read.warnings.map((warning, index) => tellWarning(warning, warned[index])),
        ];
  expect(told).toEqual(table[file]);
});
