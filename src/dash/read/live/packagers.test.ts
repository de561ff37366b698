// SPDX-License-Identifier: Apache-2.0
// Live MPDs in the forms that packagers write.
import { expect, it } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { flicks, millis } from '../../../time/units.ts';
import { readLiveMpd } from './readLiveMpd.ts';

const NOW = Date.parse('2026-01-01T12:00:20Z');
const noon = Date.parse('2026-01-01T12:00:00Z') / 1000;
const mpd = (attributes: string, ...content: string[]): string =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" xmlns:scte35="urn:scte:scte35:2014:xml+bin" type="dynamic" ${attributes}>${content.join('\n')}</MPD>`;

/** Each Period's stretch and Representations: key, first and last segment with their places in seconds after noon. */
function listing(text: string): string[] {
  const result = readLiveMpd(text, 'https://o.example/live/m.mpd', { now: { millis: millis(NOW), rest: flicks(0) } });
  if ('refused' in result) throw new Error(result.refused);
  const isLeftOut = text.includes('trickmode');
  expect(result.warnings).toEqual(isLeftOut ? [naming('line 2', 'trick play'), naming('line 3', 'images')] : []);
  return result.periods.flatMap(({ stretch, representations }) =>
    representations.map(({ key, segments: { segments } }) => {
      const ends = [segments[0]!, segments.at(-1)!].map(
        ({ startsAt, media }) =>
          `${(startsAt.millis - noon * 1000) / 1000} ${media.url.replace('https://o.example/live/', '')}`,
      );
      return [stretch.split('/')[1], key, ...ends].join(', ');
    }),
  );
}

const forms: Record<string, [string, string[]]> = {
  'Shaka packager: AdaptationSet ids, startNumber and templates in the Representation': [
    mpd(
      'availabilityStartTime="2026-01-01T11:59:50Z" minimumUpdatePeriod="PT5S" timeShiftBufferDepth="PT12S"',
      `<Period id="0" start="PT0S"><AdaptationSet id="0" contentType="video" width="640" height="360" frameRate="90000/3600" segmentAlignment="true" par="16:9">
      <Representation id="0" bandwidth="800000" codecs="avc1.64001e" mimeType="video/mp4" sar="1:1"><SegmentTemplate timescale="90000" initialization="v_init.mp4" media="v_$Number$.m4s" startNumber="4"><SegmentTimeline><S t="1350000" d="450000" r="1"/></SegmentTimeline></SegmentTemplate></Representation></AdaptationSet></Period>`,
    ),
    ['0, 0/0, 5 v_4.m4s, 10 v_5.m4s'],
  ],
  'AWS Elemental MediaPackage: a Period for each break, on one timeline': [
    mpd(
      `availabilityStartTime="2026-01-01T00:00:00+00:00" minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT60S"`,
      ...[0, 10].map(
        (second) =>
          `<Period start="PT${12 * 3600 + second}S" id="${43200 + second}"${second === 0 ? ' duration="PT10S"' : ''}><AdaptationSet mimeType="video/mp4" segmentAlignment="true"><SegmentTemplate timescale="30000" media="index_video_$RepresentationID$_$Number$.mp4?m=15" initialization="i_$RepresentationID$.mp4?m=15" startNumber="${100 + second / 2}" presentationTimeOffset="${(500 + second) * 30_000}"><SegmentTimeline><S t="${(500 + second) * 30_000}" d="60000" r="${second === 0 ? 4 : 3}"/></SegmentTimeline></SegmentTemplate><Representation id="1" bandwidth="3000000" codecs="avc1.4D401F"/></AdaptationSet></Period>`,
      ),
    ),
    [
      '43200, video/1, 0 index_video_1_100.mp4?m=15, 8 index_video_1_104.mp4?m=15',
      '43210, video/1, 10 index_video_1_105.mp4?m=15, 16 index_video_1_108.mp4?m=15',
    ],
  ],
  'Unified Origin: from 1970, template in the AdaptationSet, Periods by splice': [
    mpd(
      'availabilityStartTime="1970-01-01T00:00:00Z" timeShiftBufferDepth="PT30S" maxSegmentDuration="PT3S" minimumUpdatePeriod="PT2S"',
      `<BaseURL>dash/</BaseURL><Period id="1" start="PT0S"><AdaptationSet id="1" group="1" contentType="audio" lang="en" mimeType="audio/mp4" codecs="mp4a.40.2"><SegmentTemplate timescale="48000" initialization="c-$RepresentationID$.dash" media="c-$RepresentationID$-$Time$.dash"><SegmentTimeline><S t="${noon * 48_000}" d="96256" r="2"/></SegmentTimeline></SegmentTemplate><Representation id="audio_eng=64000" bandwidth="64000" audioSamplingRate="48000"/></AdaptationSet></Period>`,
    ),
    [
      `1, 1/audio_eng=64000, 0 dash/c-audio_eng=64000-${noon * 48_000}.dash, 4.01 dash/c-audio_eng=64000-${noon * 48_000 + 2 * 96256}.dash`,
    ],
  ],
  'livesim2: Periods by the time since 1970, $Number$ and @duration': [
    mpd(
      'availabilityStartTime="1970-01-01T00:00:00Z" timeShiftBufferDepth="PT6S"',
      `<Period id="P${noon / 60}" start="PT${noon}S"><AdaptationSet id="1" contentType="video" mimeType="video/mp4"><SegmentTemplate media="$RepresentationID$/$Number$.m4s" initialization="$RepresentationID$/init.mp4" duration="2" startNumber="${noon / 2}" presentationTimeOffset="${noon}"/><Representation id="V300" bandwidth="300000" codecs="avc1.64001e"/></AdaptationSet></Period>`,
    ),
    [`P${noon / 60}, 1/V300, 14 V300/${noon / 2 + 7}.m4s, 18 V300/${noon / 2 + 9}.m4s`],
  ],
  'GPAC: open repeats': [
    mpd(
      'availabilityStartTime="2026-01-01T12:00:00.000Z" timeShiftBufferDepth="PT30S"',
      '<Period id="DID1" start="PT0.000S"><AdaptationSet segmentAlignment="true" startWithSAP="1"><SegmentTemplate media="live_dash$Number$.m4s" initialization="live_dashinit.mp4" timescale="12800" startNumber="1"><SegmentTimeline><S t="0" d="51200" r="-1"/></SegmentTimeline></SegmentTemplate><Representation id="1" mimeType="video/mp4" codecs="avc1.64001E" bandwidth="300000"/></AdaptationSet></Period>',
    ),
    ['DID1, video/1, 0 live_dash1.m4s, 16 live_dash5.m4s'],
  ],
  'Wowza: no ids of AdaptationSets, several languages': [
    mpd(
      'availabilityStartTime="2026-01-01T12:00:00Z" minimumUpdatePeriod="PT2S"',
      `<Period id="0" start="PT0.0S">${['eng', 'spa', 'eng'].map((lang, index) => `<AdaptationSet mimeType="audio/mp4" lang="${lang}" segmentAlignment="true"><SegmentTemplate timescale="90000" media="chunk_ctaudio_rid$RepresentationID$_cs$Time$_w1_mpd.m4s"><SegmentTimeline><S t="0" d="900000"/></SegmentTimeline></SegmentTemplate><Representation id="p${index}" codecs="mp4a.40.2" bandwidth="96000"/></AdaptationSet>`).join('')}</Period>`,
    ),
    ['audio-eng/p0', 'audio-spa/p1', 'audio-eng-2/p2'].map((key, index) => {
      const url = `0 chunk_ctaudio_ridp${index}_cs0_w1_mpd.m4s`;
      return `0, ${key}, ${url}, ${url}`;
    }),
  ],
  'Broadpeak: times of 100 ns, trick play and thumbnails are not part of it': [
    mpd(
      'availabilityStartTime="1970-01-01T00:00:00Z"',
      `<Period id="1" start="PT${noon}S"><AdaptationSet id="1" mimeType="video/mp4" codecs="avc1.64001e"><SegmentTemplate timescale="10000000" presentationTimeOffset="${BigInt(noon) * 10_000_000n}" media="v($Bandwidth$)/$Time$"><SegmentTimeline><S t="${BigInt(noon) * 10_000_000n}" d="19200000" r="1"/></SegmentTimeline></SegmentTemplate><Representation id="v" bandwidth="5"/></AdaptationSet>
      <AdaptationSet id="2" mimeType="video/mp4" codecs="avc1.64001e"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/><SegmentTemplate duration="2" media="$Number$"/><Representation id="t" bandwidth="5"/></AdaptationSet>
      <AdaptationSet id="3" mimeType="image/jpeg"><SegmentTemplate duration="20" media="$Number$.jpg"/><Representation id="i" bandwidth="5"/></AdaptationSet></Period>`,
    ),
    [`1, 1/v, 0 v(5)/${noon}0000000, 1.92 v(5)/${BigInt(noon) * 10_000_000n + 19_200_000n}`],
  ],
};

it.each(Object.entries(forms))('%s', (_, [text, expected]) => {
  expect(listing(text)).toEqual(expected);
});
