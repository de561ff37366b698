import { describe, expect, it } from 'vitest';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import type { IndexedSegments, ListedSegments, Mpd, MpdRepresentation } from './mpd.ts';
import { readMpd } from './readMpd.ts';

const source = 'https://o.example/vod/film/manifest.mpd';
const document = (attributes: string, ...content: string[]): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" type="static" ${attributes}>\n${content.join('\n')}\n</MPD>`;
const oneVideo = (segments: string, set = '', representation = ''): string =>
  `<Period><AdaptationSet mimeType="video/mp4" ${set}><Representation id="v" bandwidth="9" codecs="avc1.64001f" ${representation}>${segments}</Representation></AdaptationSet></Period>`;

function read(text: string): Mpd {
  const mpd = readMpd(text, source);
  if ('refused' in mpd) throw new Error(mpd.refused);
  return mpd;
}
function refusal(text: string): string {
  const mpd = readMpd(text, source);
  return 'refused' in mpd ? mpd.refused : 'was read';
}
const only = (text: string): MpdRepresentation => read(text).periods[0]!.representations[0]!;
function listed({ segments }: MpdRepresentation): ListedSegments {
  if (segments.kind !== 'listed') throw new Error('not listed');
  return segments;
}
const urlsOf = ({ urls, borders, count }: ListedSegments): string[] =>
  Array.from({ length: count }, (_, index) =>
    segmentUrl({ borders, urls }, index).url.replace('https://o.example/', '/'),
  );

describe('SegmentTemplate with @duration', () => {
  const template =
    '<SegmentTemplate media="$Number$.m4s" initialization="i.mp4" timescale="10" duration="20" startNumber="0"/>';

  it('counts segments by the length of the Period; the last one is shorter', () => {
    const segments = listed(only(document('mediaPresentationDuration="PT7S"', oneVideo(template))));
    expect([...segments.borders]).toEqual([0, 20, 40, 60, 70]);
    expect(urlsOf(segments)).toEqual(['/vod/film/0.m4s', '/vod/film/1.m4s', '/vod/film/2.m4s', '/vod/film/3.m4s']);
    expect(segments.init).toEqual({ url: 'https://o.example/vod/film/i.mp4' });
  });

  it('takes no rounding of the duration for a segment', () => {
    for (const [duration, count] of [
      ['PT6S', 3],
      ['PT6.001S', 3],
      ['PT5.999S', 3],
      ['PT6.04S', 4],
    ] as const) {
      expect(listed(only(document(`mediaPresentationDuration="${duration}"`, oneVideo(template)))).count).toBe(count);
    }
  });

  it('ends at @endNumber, and knows no more than the Period', () => {
    const ended = (end: number) => template.replace('startNumber', `endNumber="${end}" startNumber`);
    expect(listed(only(document('mediaPresentationDuration="PT7S"', oneVideo(ended(2))))).count).toBe(3);
    expect(listed(only(document('mediaPresentationDuration="PT7S"', oneVideo(ended(99))))).count).toBe(4);
    expect([...listed(only(document('', oneVideo(ended(1))))).borders]).toEqual([0, 20, 40]);
  });

  it('lies on the media time that presentationTimeOffset and eptDelta tell', () => {
    const moved = template.replace('startNumber', 'presentationTimeOffset="1000" eptDelta="-5" startNumber');
    const segments = listed(only(document('mediaPresentationDuration="PT4S"', oneVideo(moved))));
    expect([...segments.borders]).toEqual([995, 1015, 1035, 1040]);
    expect(segments.presentationTimeOffset).toBe(1000);
  });

  it('has a timescale of 1 unless one is told', () => {
    const segments = listed(
      only(document('mediaPresentationDuration="PT5S"', oneVideo('<SegmentTemplate media="$Time$" duration="2"/>'))),
    );
    expect(segments).toMatchObject({ timescale: 1, count: 3, presentationTimeOffset: 0 });
    expect(urlsOf(segments)).toEqual(['/vod/film/0', '/vod/film/2', '/vod/film/4']);
  });
});

describe('SegmentTemplate with SegmentTimeline', () => {
  const timeline = '<SegmentTimeline><S t="100" d="50" r="3"/></SegmentTimeline>';
  const template = (attributes: string) =>
    `<SegmentTemplate timescale="10" ${attributes}>${timeline}</SegmentTemplate>`;

  it('takes $Time$ from the borders', () => {
    const segments = listed(only(document('', oneVideo(template('media="$RepresentationID$-$Time$.m4s"')))));
    expect(segments.urls).toEqual({ kind: 'time', prefix: 'https://o.example/vod/film/v-', suffix: '.m4s', width: 1 });
    expect([...segments.borders]).toEqual([100, 150, 200, 250, 300]);
  });

  it('keeps the segments that lie in the Period', () => {
    const cut = template('media="$Number$.m4s" presentationTimeOffset="160" startNumber="5"');
    const segments = listed(only(document('mediaPresentationDuration="PT9S"', oneVideo(cut))));
    expect([...segments.borders]).toEqual([150, 200, 250]);
    expect(urlsOf(segments)).toEqual(['/vod/film/6.m4s', '/vod/film/7.m4s']);
  });

  it('takes all with a warning when the Period seems to hold none', () => {
    const mpd = read(document('mediaPresentationDuration="PT1S"', oneVideo(template('media="$Number$.m4s"'))));
    expect(listed(mpd.periods[0]!.representations[0]!).count).toBe(4);
    expect(mpd.warnings[0]).toContain('Representation "v" of Period 1: no segment lies in its Period');
  });

  it('shares one timeline among Representations', () => {
    const set = `<Period><AdaptationSet mimeType="video/mp4">${template('media="$RepresentationID$/$Time$"')}<Representation id="a"/><Representation id="b"/></AdaptationSet></Period>`;
    const [a, b] = read(document('mediaPresentationDuration="PT1H"', set)).periods[0]!.representations.map(listed);
    expect(a!.borders).toBe(b!.borders);
    expect(urlsOf(b!)[0]).toBe('/vod/film/b/100');
  });

  it('warns of gaps once', () => {
    const gap = `<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$RepresentationID$$Time$"><SegmentTimeline><S t="0" d="2"/><S t="5" d="2"/></SegmentTimeline></SegmentTemplate><Representation id="a"/><Representation id="b"/></AdaptationSet></Period>`;
    expect(read(document('mediaPresentationDuration="PT1H"', gap)).warnings).toEqual([
      'line 3: the SegmentTimeline of Representation "a" of Period 1 leaves a gap of 3.000 s',
    ]);
  });
});

describe('SegmentList', () => {
  it('lists URLs with an Initialization of its own', () => {
    const list =
      '<SegmentList timescale="10" duration="30"><Initialization sourceURL="i.mp4" range="0-99"/><SegmentURL media="a.mp4"/><SegmentURL media="/b.mp4"/></SegmentList>';
    const segments = listed(only(document('mediaPresentationDuration="PT5S"', oneVideo(list))));
    expect(urlsOf(segments)).toEqual(['/vod/film/a.mp4', '/b.mp4']);
    expect([...segments.borders]).toEqual([0, 30, 50]);
    expect(segments.init).toEqual({ url: 'https://o.example/vod/film/i.mp4', range: { start: 0, length: 100 } });
  });

  it('lists ranges of the resource that BaseURL names, cut to the Period', () => {
    const list =
      '<BaseURL>f.mp4</BaseURL><SegmentList presentationTimeOffset="2"><Initialization range="0-9"/><SegmentTimeline><S d="2" r="2"/></SegmentTimeline><SegmentURL mediaRange="10-19"/><SegmentURL mediaRange="20-49"/><SegmentURL mediaRange="50-50"/></SegmentList>';
    const segments = listed(only(document('', oneVideo(list))));
    expect(segments.urls).toEqual({
      kind: 'ranges',
      url: 'https://o.example/vod/film/f.mp4',
      starts: Float64Array.of(20, 50),
      lengths: Float64Array.of(30, 1),
    });
    expect(segments.init?.range).toEqual({ start: 0, length: 10 });
  });

  it('inherits its duration, and may be one segment without any', () => {
    const set =
      '<Period><AdaptationSet mimeType="video/mp4"><SegmentList duration="2"/><Representation id="v"><SegmentList><SegmentURL media="1"/><SegmentURL media="2"/></SegmentList></Representation></AdaptationSet></Period>';
    expect([...listed(only(document('', set))).borders]).toEqual([0, 2, 4]);
    const one = oneVideo('<SegmentList timescale="1000"><SegmentURL media="1"/></SegmentList>');
    expect([...listed(only(document('mediaPresentationDuration="PT9.5S"', one))).borders]).toEqual([0, 9500]);
  });
});

describe('SegmentBase and BaseURL', () => {
  const indexed = (text: string): IndexedSegments => only(text).segments as IndexedSegments;

  it('names the index and the initialization', () => {
    const base =
      '<BaseURL>v.mp4</BaseURL><SegmentBase timescale="90000" presentationTimeOffset="45" indexRange="800-999"><Initialization range="0-799"/></SegmentBase>';
    expect(indexed(document('', oneVideo(base)))).toEqual({
      kind: 'indexed',
      url: 'https://o.example/vod/film/v.mp4',
      init: { url: 'https://o.example/vod/film/v.mp4', range: { start: 0, length: 800 } },
      indexRange: { start: 800, length: 200 },
      timescale: 90_000,
      presentationTimeOffset: 45,
    });
  });

  it('resolves BaseURL at every level, the first of several', () => {
    const text = document(
      '',
      '<BaseURL>https://cdn.example/</BaseURL><BaseURL>https://other.example/</BaseURL>',
      '<Period><BaseURL> p/ </BaseURL><AdaptationSet mimeType="audio/mp4" lang="sv"><BaseURL>a/</BaseURL><Representation id="1"><BaseURL>x.mp4</BaseURL></Representation></AdaptationSet></Period>',
    );
    expect(indexed(text)).toMatchObject({ kind: 'indexed', url: 'https://cdn.example/p/a/x.mp4' });
  });

  it('takes a WebVTT file for one segment', () => {
    const text = document(
      'mediaPresentationDuration="PT9S"',
      '<Period><AdaptationSet mimeType="text/vtt" lang="de"><Representation id="t"><BaseURL>t.vtt</BaseURL></Representation></AdaptationSet></Period>',
    );
    expect(only(text)).toMatchObject({ kind: 'text', container: 'vtt', language: 'de' });
    expect(urlsOf(listed(only(text)))).toEqual(['/vod/film/t.vtt']);
    expect([...listed(only(text)).borders]).toEqual([0, 9]);
  });
});

describe('inheritance', () => {
  it('takes attributes of templates from the lowest level that has them', () => {
    const text = document(
      'mediaPresentationDuration="PT4S"',
      '<Period><SegmentTemplate timescale="10" startNumber="7" media="p$Number$"/><AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="20" media="a$Number$"/><Representation id="v"><SegmentTemplate initialization="$RepresentationID$.mp4"/></Representation></AdaptationSet></Period>',
    );
    const segments = listed(only(text));
    expect(urlsOf(segments)).toEqual(['/vod/film/a7', '/vod/film/a8']);
    expect(segments.init?.url).toBe('https://o.example/vod/film/v.mp4');
  });

  it('lets @duration below override a SegmentTimeline above', () => {
    const text = document(
      'mediaPresentationDuration="PT4S"',
      '<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$"><SegmentTimeline><S d="1"/></SegmentTimeline></SegmentTemplate><Representation id="v"><SegmentTemplate duration="2"/></Representation></AdaptationSet></Period>',
    );
    expect([...listed(only(text)).borders]).toEqual([0, 2, 4]);
  });

  it('reads what describes a Representation from it or its set', () => {
    const text = document(
      'mediaPresentationDuration="PT4S"',
      `<Period><AdaptationSet contentType="audio" mimeType="audio/mp4" lang="en" audioSamplingRate="48000">
        <Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/><Role schemeIdUri="urn:mpeg:dash:role:2011" value="description"/>
        <Accessibility schemeIdUri="urn:tva:metadata:cs:AudioPurposeCS:2007" value="1"/><Label>Described</Label>
        <ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc" cenc:default_KID="1"/>
        <Representation id="a" bandwidth="128000" codecs="ec-3">
          <AudioChannelConfiguration schemeIdUri="tag:dolby.com,2014:dash:audio_channel_configuration:2011" value="F801"/>
          <ContentProtection schemeIdUri="urn:uuid:x"><cenc:pssh>AAA=</cenc:pssh></ContentProtection>
          <BaseURL>a.mp4</BaseURL></Representation></AdaptationSet></Period>`,
    );
    expect(only(text)).toMatchObject({
      id: 'a',
      kind: 'audio',
      container: 'fmp4',
      codecs: 'ec-3',
      bandwidth: 128_000,
      sampleRate: 48_000,
      channels: 6,
      language: 'en',
      name: 'Described',
      roles: ['main', 'description'],
      isDefault: true,
      characteristics: 'public.accessibility.describes-video',
    });
    expect(only(text).protection).toEqual([
      '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc" cenc:default_KID="1" xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013"/>',
      '<ContentProtection schemeIdUri="urn:uuid:x" xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013">\n<cenc:pssh>AAA=</cenc:pssh>\n</ContentProtection>',
    ]);
  });
});

describe('what is left out', () => {
  const set = (attributes: string, content = '', id = 'x'): string =>
    `<AdaptationSet ${attributes}>${content}<Representation id="${id}"><BaseURL>x</BaseURL></Representation></AdaptationSet>`;
  const kept = (...sets: string[]) => {
    const mpd = read(document('mediaPresentationDuration="PT4S"', `<Period>${sets.join('')}</Period>`));
    return { ids: mpd.periods[0]!.representations.map(({ id }) => id), warnings: mpd.warnings };
  };

  it('is trick play and thumbnails, without a word', () => {
    const trick = '<EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/>';
    expect(kept(set('mimeType="video/mp4"', trick), set('mimeType="image/jpeg" contentType="image"'))).toEqual({
      ids: [],
      warnings: [],
    });
  });

  it('is what can not be played, with a warning', () => {
    const unknown = '<EssentialProperty schemeIdUri="urn:x:stereo" value="1"/>';
    const colour = '<EssentialProperty schemeIdUri="urn:mpeg:mpegB:cicp:ColourPrimaries" value="9"/>';
    const { ids, warnings } = kept(
      set('mimeType="video/mp4"', colour, 'hdr'),
      set('mimeType="video/mp4"', unknown, 'stereo'),
      set('mimeType="video/webm"', '', 'webm'),
      set('mimeType="application/ttml+xml"', '', 'ttml'),
      set('mimeType="application/octet-stream"', '', 'odd'),
    );
    expect(ids).toEqual(['hdr']);
    expect(warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual(['stereo', 'webm', 'ttml', 'odd']);
    expect(warnings[0]).toContain('"urn:x:stereo"');
  });

  it('is text that can not be read; what is wrong with video is a refusal', () => {
    const broken = '<SegmentTemplate media="$Number$" duration="x"/>';
    const text =
      '<AdaptationSet mimeType="application/mp4" codecs="stpp"><SegmentTemplate media="$Number$" duration="x"/><Representation id="t"/></AdaptationSet>';
    expect(kept(text, set('mimeType="video/mp4"')).warnings[0]).toContain('@duration must be a positive whole number');
    expect(refusal(document('mediaPresentationDuration="PT4S"', oneVideo(broken)))).toBe(
      'line 3: SegmentTemplate@duration must be a positive whole number, got "x"',
    );
  });

  it('tells kinds by content type, MIME type and codecs', () => {
    const kindOf = (attributes: string, content = '') =>
      only(document('mediaPresentationDuration="PT4S"', `<Period>${set(attributes, content)}</Period>`));
    expect(kindOf('mimeType="video/mp4" codecs="avc1.64001f,mp4a.40.2"').kind).toBe('muxed');
    const both = '<ContentComponent contentType="audio" lang="fi"/><ContentComponent contentType="video"/>';
    expect(kindOf('mimeType="video/mp2t"', both)).toMatchObject({ kind: 'muxed', container: 'ts', language: 'fi' });
    expect(kindOf('mimeType="application/mp4" codecs="wvtt"').kind).toBe('text');
    expect(kindOf('mimeType="application/mp4" contentType="text"').kind).toBe('text');
    expect(kindOf('codecs="mp4a.40.5"')).toMatchObject({ kind: 'audio', language: 'und' });
  });
});

describe('Periods', () => {
  const period = (attributes: string, number: number): string =>
    `<Period ${attributes}><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="${number}/$Number$" duration="2"/><Representation id="v"/></AdaptationSet></Period>`;
  const placed = (attributes: string, ...periods: string[]) =>
    read(document(attributes, ...periods.map(period))).periods.map(({ start, duration }) => [
      start / 705_600_000,
      duration! / 705_600_000,
    ]);

  it('tell start and duration to each other', () => {
    expect(placed('mediaPresentationDuration="PT30S"', '', 'start="PT10S"', 'start="PT16S"')).toEqual([
      [0, 10],
      [10, 6],
      [16, 14],
    ]);
    expect(placed('', 'duration="PT10S"', 'duration="PT6S"')).toEqual([
      [0, 10],
      [10, 6],
    ]);
    expect(placed('mediaPresentationDuration="PT12S"', 'duration="PT10S"', '')).toEqual([
      [0, 10],
      [10, 2],
    ]);
    expect(placed('', 'duration="PT10S"', 'start="PT8S" duration="PT2S"')).toEqual([
      [0, 8],
      [8, 2],
    ]);
  });

  it('of no length are left out with a warning', () => {
    const mpd = read(document('', period('duration="PT0S"', 0), period('duration="PT4S"', 1)));
    expect(mpd.periods.map(({ where }) => where)).toEqual(['Period 2']);
    expect(mpd.warnings).toEqual(['line 3: Period 1 lasts no time and is left out']);
  });

  it('must be told', () => {
    expect(refusal(document('', period('', 0)))).toBe(
      'line 3: SegmentTemplate has @duration, but nothing tells where the Period ends',
    );
    expect(refusal(document('', period('', 0), period('', 1)))).toBe(
      'line 4: Period 2 needs @start, or a duration of the Period before it; it has neither',
    );
    expect(refusal(document('mediaPresentationDuration="10"', period('', 0)))).toBe(
      'line 2: MPD@mediaPresentationDuration must be a duration such as "PT1H2M3.5S", got "10"',
    );
    expect(refusal(document(''))).toContain('at least one Period');
  });
});

describe('refusals', () => {
  it('name the line, what was wanted and what came', () => {
    expect(refusal('<MPD type="dynamic"/>')).toContain('line 1: MPD@type is "dynamic", a live stream');
    expect(refusal('<html/>')).toBe('line 1: the root element must be MPD, got html');
    expect(refusal('#EXTM3U\n')).toContain('no well-formed XML: line');
    expect(refusal('<MPD>\n<Period></MPD>')).toContain('line 2');
    const video = (segments: string) => refusal(document('mediaPresentationDuration="PT4S"', oneVideo(segments)));
    expect(video('<SegmentTemplate media="$Number$"/>')).toContain(
      'needs a SegmentTimeline or @duration, it has neither',
    );
    expect(video('<SegmentTemplate duration="2"/>')).toBe(
      'line 3: SegmentTemplate@media must be a template, it is missing',
    );
    expect(video('<SegmentTemplate duration="2" media="$Nr$"/>')).toContain('unknown identifier "$Nr$"');
    expect(video('<SegmentTemplate duration="2" media="http://[/$Number$"/>')).toContain('makes no URL');
    expect(video('<SegmentTemplate timescale="0" duration="2" media="$Number$"/>')).toContain(
      'timescale must be a positive',
    );
    expect(video('<SegmentTemplate duration="2" endNumber="0" media="$Number$"/>')).toContain('lists no segment');
    expect(video('<SegmentTemplate timescale="1000000" duration="1" media="$Number$"/>')).toContain('at most 250000');
    expect(video('<SegmentList duration="1"/>')).toContain('must hold SegmentURL');
    expect(video('<SegmentBase indexRange="9-8"/>')).toContain('must be a range such as "0-819", got "9-8"');
    expect(refusal(document('', oneVideo('', '', 'frameRate="fast"')))).toContain('frameRate must be a frame rate');
  });

  it('are given for content that would have to be fetched', () => {
    const away = '<Period xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://x.example/p.xml"/>';
    expect(refusal(document('', away))).toBe('line 3: Period@xlink:href (content kept elsewhere) is not supported');
    const zero = away.replace('https://x.example/p.xml', 'urn:mpeg:dash:resolve-to-zero:2013');
    expect(read(document('', zero, oneVideo('<BaseURL>v</BaseURL>'))).periods).toHaveLength(1);
  });

  it('hold the size of what is made from a small text', () => {
    const set = `<AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" duration="60" media="$RepresentationID$$Number$"/>${'<Representation id="x"/>'.repeat(20)}</AdaptationSet>`;
    expect(refusal(document('mediaPresentationDuration="PT3H"', `<Period>${set}</Period>`))).toContain(
      'more segments than are read',
    );
    expect(
      refusal(document('', `<Period><AdaptationSet>${'<Representation/>'.repeat(5001)}</AdaptationSet></Period>`)),
    ).toContain('more than 5000 Representations');
  });
});
