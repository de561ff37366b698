// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, test } from 'vitest';
import { document, oneVideo, only, read, refusal } from '../../../test/dash/staticMpds.ts';
import { naming } from '../../../test/naming.ts';
import { readFrameRate } from './readRepresentation.ts';

describe('a Representation', () => {
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

describe('Representations that are skipped', () => {
  const set = (attributes: string, content = '', id = 'x'): string =>
    `<AdaptationSet ${attributes}>${content}<Representation id="${id}"><BaseURL>x</BaseURL></Representation></AdaptationSet>`;
  const read4s = (...sets: string[]) => {
    const mpd = read(document('mediaPresentationDuration="PT4S"', `<Period>${sets.join('')}</Period>`));
    return { ids: mpd.periods[0]!.representations.map(({ id }) => id), warnings: mpd.warnings };
  };

  it('are trick play and thumbnails, with one warning each', () => {
    const trick = '<EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode" value="1"/>';
    const images = set('mimeType="image/jpeg" contentType="image"');
    const { ids, warnings } = read4s(set('mimeType="video/mp4"', trick), images, images);
    expect([ids, warnings]).toEqual([[], [naming('trick play'), naming('images')]]);
  });

  it('are those that cannot be played, with a warning', () => {
    const unknown = '<EssentialProperty schemeIdUri="urn:x:stereo" value="1"/>';
    const colour = '<EssentialProperty schemeIdUri="urn:mpeg:mpegB:cicp:ColourPrimaries" value="9"/>';
    const { ids, warnings } = read4s(
      set('mimeType="video/mp4"', colour, 'hdr'),
      set('mimeType="video/mp4"', unknown, 'stereo'),
      set('mimeType="video/webm"', '', 'webm'),
      set('mimeType="application/ttml+xml"', '', 'ttml'),
      set('mimeType="application/octet-stream"', '', 'invalid'),
    );
    expect(ids).toEqual(['hdr']);
    expect(warnings.map((warning) => /"(\w+)"/.exec(warning)?.[1])).toEqual(['stereo', 'webm', 'ttml', 'invalid']);
    expect(warnings[0]).toContain('"urn:x:stereo"');
  });

  it('are invalid text, while invalid video is an error', () => {
    const broken = '<SegmentTemplate media="$Number$" duration="x"/>';
    const text =
      '<AdaptationSet mimeType="application/mp4" codecs="stpp"><SegmentTemplate media="$Number$" duration="x"/><Representation id="t"/></AdaptationSet>';
    expect(read4s(text, set('mimeType="video/mp4"')).warnings[0]).toEqual(naming('SegmentTemplate@duration', '"x"'));
    const fault = { line: 3, code: 'ATTRIBUTE', attribute: 'SegmentTemplate@duration' };
    const refused = naming(3, 'SegmentTemplate@duration', '"x"');
    expect(refusal(document('mediaPresentationDuration="PT4S"', oneVideo(broken)))).toEqual({ ...fault, refused });
  });

  it('derives the kind from content type, MIME type and codecs', () => {
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
  it.each([
    ['PT30S', ['', 'start="PT10S"', 'start="PT16S"'], ['0–10', '10–16', '16–30']],
    ['', ['duration="PT10S"', 'duration="PT6S"'], ['0–10', '10–16']],
    ['PT12S', ['duration="PT10S"', ''], ['0–10', '10–12']],
    ['', ['duration="PT10S"', 'start="PT8S" duration="PT2S"'], ['0–8', '8–10']],
  ])('derive a missing start or duration from the Periods around them: %s %j', (total, attributes, expected) => {
    const { periods } = read(document(total && `mediaPresentationDuration="${total}"`, ...attributes.map(period)));
    const seconds = (flicks: number) => flicks / 705_600_000;
    expect(periods.map(({ start, duration }) => `${seconds(start)}–${seconds(start + duration!)}`)).toEqual(expected);
  });

  it('with a duration of zero are skipped with a warning', () => {
    const mpd = read(document('', period('duration="PT0S"', 0), period('duration="PT4S"', 1)));
    expect(mpd.periods.map(({ where }) => where)).toEqual(['Period 2']);
    expect(mpd.warnings).toEqual([naming(3, 'Period 1')]);
  });

  it('need a start and a duration', () => {
    expect(refusal(document('', period('', 0)))).toMatchObject({ line: 3, code: 'PERIOD_END' });
    const unplaced = { line: 4, code: 'PERIOD_START', refused: naming(4, 'Period 2') };
    expect(refusal(document('', period('', 0), period('', 1)))).toEqual(unplaced);
    const attribute = 'MPD@mediaPresentationDuration';
    const invalid = { line: 2, code: 'ATTRIBUTE', attribute, refused: naming(2, attribute, '"10"') };
    expect(refusal(document('mediaPresentationDuration="10"', period('', 0)))).toEqual(invalid);
    expect(refusal(document(''))).toMatchObject({ code: 'NO_PERIOD' });
  });
});

describe('a descriptive attribute', () => {
  it('costs only a warning when it is invalid', () => {
    const invalid = oneVideo('<BaseURL>v</BaseURL>', '', 'frameRate="fast" width="wide"');
    const { periods, warnings } = read(document('', invalid.replace('bandwidth="9"', 'bandwidth=""')));
    expect(periods[0]!.representations[0]).not.toHaveProperty('frameRate');
    expect(warnings).toEqual([
      naming(3, 'Representation@bandwidth', '""'),
      naming(3, 'Representation@width', '"wide"'),
      naming(3, 'Representation@frameRate', '"fast"'),
    ]);
  });
});

describe('errors', () => {
  it('name the line, the attribute and the invalid value', () => {
    expect(refusal('<MPD type="dynamic"/>')).toMatchObject({ line: 1, code: 'LIVE', refused: naming('MPD@type') });
    expect(refusal('<html/>')).toEqual({ line: 1, code: 'ROOT', refused: naming(1, 'html') });
    expect(refusal('#EXTM3U\n')).toMatchObject({ code: 'XML' });
    expect(refusal('<MPD>\n<Period></MPD>')).toEqual({ line: 2, code: 'XML', refused: naming(2) });
  });

  it.each([
    ['<SegmentTemplate media="$Number$"/>', { line: 3, code: 'NO_TIMING' }],
    ['<SegmentTemplate duration="2"/>', { line: 3, code: 'ATTRIBUTE', attribute: 'SegmentTemplate@media' }],
    ['<SegmentTemplate duration="2" media="$Nr$"/>', { code: 'UNKNOWN_IDENTIFIER', refused: naming('"$Nr$"') }],
    ['<SegmentTemplate duration="2" media="http://[/$Number$"/>', { code: 'NO_URL' }],
    [
      '<SegmentTemplate timescale="0" duration="2" media="$Number$"/>',
      { code: 'ATTRIBUTE', attribute: 'SegmentTemplate@timescale', refused: naming('"0"') },
    ],
    ['<SegmentTemplate duration="2" endNumber="0" media="$Number$"/>', { code: 'NO_SEGMENT' }],
    [
      '<SegmentTemplate timescale="1000000" duration="1" media="$Number$"/>',
      { code: 'TOO_MANY_SEGMENTS', refused: naming(50_000) },
    ],
    ['<SegmentList duration="1"/>', { code: 'NO_SEGMENT_URL' }],
    [
      '<SegmentBase indexRange="9-8"/>',
      { code: 'ATTRIBUTE', attribute: 'SegmentBase@indexRange', refused: naming('"9-8"') },
    ],
  ])('name what is wrong in %s', (segments, fault) => {
    expect(refusal(document('mediaPresentationDuration="PT4S"', oneVideo(segments)))).toMatchObject(fault);
  });

  it('are returned for remote elements, unless they resolve to nothing', () => {
    const remote = '<Period xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://x.example/p.xml"/>';
    const elsewhere = { line: 3, code: 'CONTENT_ELSEWHERE', refused: naming(3, 'Period@xlink:href') };
    expect(refusal(document('', remote))).toEqual(elsewhere);
    const zero = remote.replace('https://x.example/p.xml', 'urn:mpeg:dash:resolve-to-zero:2013');
    expect(read(document('', zero, oneVideo('<BaseURL>v</BaseURL>'))).periods).toHaveLength(1);
  });

  it('limit what a small MPD may expand to', () => {
    const set = `<AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" duration="60" media="$RepresentationID$$Number$"/>${'<Representation id="x"/>'.repeat(20)}</AdaptationSet>`;
    const long = refusal(document('mediaPresentationDuration="PT3H"', `<Period>${set}</Period>`));
    expect(long).toMatchObject({ code: 'TOO_MANY_SEGMENTS' });
    const many = `<AdaptationSet>${'<Representation/>'.repeat(5001)}</AdaptationSet>`;
    const fault = { code: 'TOO_MANY_REPRESENTATIONS', refused: naming(5000) };
    expect(refusal(document('', `<Period>${many}</Period>`))).toMatchObject(fault);
  });
});

test.each([
  ['25', 25, 1],
  ['30000/1001', 30000, 1001],
  ['60/2', 30, 1],
  ['25000/1000', 25, 1],
  ['29.97', 30000, 1001],
  ['23.976', 24000, 1001],
  ['23.98', 24000, 1001],
  ['59.94', 60000, 1001],
  ['25.000', 25, 1],
  ['12.5', 25, 2],
  ['24:1', 24, 1],
])('the frame rate %s is %i/%i', (text, n, d) => {
  expect(readFrameRate(text)).toEqual({ n, d });
});

test.each(['', '0', '25/0', 'PAL', '-25', '1e3', '30000/1001/2'])('%j is no frame rate', (text) => {
  expect(readFrameRate(text)).toBeUndefined();
});
