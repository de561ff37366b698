// SPDX-License-Identifier: Apache-2.0
// Compares readMpd with mpd-parser, an independent implementation: both find the same segments, URLs and durations.
// @ts-expect-error: mpd-parser comes without types
import { parse } from 'mpd-parser';
import { describe, expect, it } from 'vitest';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { readMpd } from './readMpd.ts';

const source = 'https://o.example/vod/manifest.mpd';
type Line = { url: string; duration: number; init: string };
type Playlist = {
  readonly attributes: { readonly NAME: string };
  readonly segments: readonly { resolvedUri: string; duration: number; map?: { resolvedUri: string } }[];
};

function theirs(text: string): Map<string, Line[]> {
  const manifest = parse(text, { manifestUri: source }) as {
    playlists: Playlist[];
    mediaGroups: { AUDIO: Record<string, Record<string, { playlists: Playlist[] }>> };
  };
  const audio = Object.values(manifest.mediaGroups.AUDIO).flatMap((group) => Object.values(group));
  const playlists = [...manifest.playlists, ...audio.flatMap((one) => one.playlists)];
  const lines = new Map<string, Line[]>();
  for (const { attributes, segments } of playlists) {
    const read = segments.map(({ resolvedUri, duration, map }) => ({
      url: resolvedUri,
      duration,
      init: map?.resolvedUri ?? '',
    }));
    // Periods whose BaseURLs differ become playlists of their own.
    lines.set(attributes.NAME, [...(lines.get(attributes.NAME) ?? []), ...read]);
  }
  return lines;
}

function ours(text: string): Map<string, Line[]> {
  const mpd = readMpd(text, source);
  if ('refused' in mpd) throw new Error(mpd.refused);
  const lines = new Map<string, Line[]>();
  for (const { representations } of mpd.periods) {
    for (const { id, segments } of representations) {
      if (segments.kind !== 'listed') throw new Error('not listed');
      const { borders, urls, count, timescale, init } = segments;
      const read = Array.from({ length: count }, (_, index) => ({
        url: segmentUrl({ borders, urls }, index).url,
        duration: (borders[index + 1]! - borders[index]!) / timescale,
        init: init?.url ?? '',
      }));
      lines.set(id!, [...(lines.get(id!) ?? []), ...read]);
    }
  }
  return lines;
}

const mpd = (attributes: string, content: string): string =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" minBufferTime="PT2S" ${attributes}>${content}</MPD>`;
const sets = (segments: (id: string) => string): string =>
  `<AdaptationSet mimeType="video/mp4" codecs="avc1.64001f"><Representation id="v1" bandwidth="900000" width="640" height="360">${segments('v1')}</Representation><Representation id="v2" bandwidth="300000" width="320" height="180">${segments('v2')}</Representation></AdaptationSet>` +
  `<AdaptationSet mimeType="audio/mp4" codecs="mp4a.40.2" lang="en"><Representation id="a1" bandwidth="128000" audioSamplingRate="48000">${segments('a1')}</Representation></AdaptationSet>`;

const cases: Record<string, string> = {
  '@duration': mpd(
    'mediaPresentationDuration="PT61.3S"',
    `<Period>${sets(() => '<SegmentTemplate timescale="1000" duration="4000" startNumber="0" media="$RepresentationID$/$Number%05d$.m4s" initialization="$RepresentationID$/$Bandwidth$.mp4"/>')}</Period>`,
  ),
  'timeline by number': mpd(
    'mediaPresentationDuration="PT10S"',
    `<Period>${sets(() => '<SegmentTemplate timescale="90000" media="$RepresentationID$-$Number$.m4s" initialization="$RepresentationID$.mp4"><SegmentTimeline><S t="0" d="180000" r="2"/><S d="90000"/><S d="180000"/></SegmentTimeline></SegmentTemplate>')}</Period>`,
  ),
  'timeline by time, open repeat': mpd(
    'mediaPresentationDuration="PT9S"',
    `<BaseURL>media/</BaseURL><Period><BaseURL>p1/</BaseURL>${sets(() => '<SegmentTemplate timescale="48000" media="$RepresentationID$/$Time$.m4s" initialization="$RepresentationID$.mp4"><SegmentTimeline><S t="0" d="96000" r="-1"/></SegmentTimeline></SegmentTemplate>')}</Period>`,
  ),
  SegmentList: mpd(
    'mediaPresentationDuration="PT6S"',
    `<Period>${sets((id) => `<SegmentList timescale="10" duration="20"><Initialization sourceURL="${id}.mp4"/><SegmentURL media="${id}/a.m4s"/><SegmentURL media="${id}/b.m4s"/><SegmentURL media="../${id}/c.m4s"/></SegmentList>`)}</Period>`,
  ),
  'two Periods': mpd(
    '',
    ['p1', 'p2']
      .map(
        (period) =>
          `<Period id="${period}" duration="PT6S"><BaseURL>${period}/</BaseURL>${sets(() => '<SegmentTemplate timescale="1" duration="2" media="$RepresentationID$_$Number$.m4s" initialization="$RepresentationID$.mp4"/>')}</Period>`,
      )
      .join(''),
  ),
};

describe('readMpd and mpd-parser agree', () => {
  it.each(Object.entries(cases))('%s', (_, text) => {
    const [read, expected] = [ours(text), theirs(text)];
    expect([...read.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [id, lines] of expected) {
      expect(lines.length).toBeGreaterThan(2);
      expect(read.get(id)!.map(({ url, init }) => [url, init])).toEqual(lines.map(({ url, init }) => [url, init]));
      read.get(id)!.forEach(({ duration }, index) => {
        // Both let an open repeat run past the end of the Period.
        expect(duration).toBeCloseTo(lines[index]!.duration, 6);
      });
    }
  });
});
