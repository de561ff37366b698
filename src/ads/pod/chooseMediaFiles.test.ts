// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { millis, millisToFlicks } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Creative, InLineAd, MediaFile, UniversalAdId } from '../../vast/response.ts';
import { chooseMediaFiles, mediaLack, shownCreative, withoutOtherLinears } from './chooseMediaFiles.ts';

const ladder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  rungs: [
    {
      id: 'v0',
      kind: 'video',
      codecs: 'avc1.64001f',
      bandwidth: 3e6,
      averageBandwidth: 2.5e6,
      width: 1280,
      height: 720,
    },
    { id: 'v1', kind: 'video', codecs: 'avc1.64001e', bandwidth: 8e5, averageBandwidth: 7e5, width: 640, height: 360 },
    { id: 'a0', kind: 'audio', codecs: 'mp4a.40.2', bandwidth: 128e3, averageBandwidth: 128e3, sampleRate: 48_000 },
  ],
  targetDuration: 4,
};

/** A media file without `delivery`, which does not matter here. */
type Offered = Omit<MediaFile, 'delivery'>;
const delivered = (offered: Offered): MediaFile => ({ delivery: 'progressive', ...offered });

const mp4 = (name: string, width: number, height: number, bitrate?: number): Offered => ({
  url: `https://cdn.example/${name}.mp4`,
  type: 'video/mp4',
  width,
  height,
  ...(bitrate === undefined ? {} : { bitrate }),
});

const linear = (mediaFiles: Offered[], mezzanines: Offered[] = [], universalAdIds: UniversalAdId[] = []): Creative => ({
  universalAdIds,
  extensions: [],
  linear: {
    mediaFiles: mediaFiles.map(delivered),
    mezzanines: mezzanines.map(delivered),
    trackingEvents: [],
    icons: [],
    interactiveFiles: [],
    closedCaptions: [],
    clickTrackings: [],
    customClicks: [],
  },
});

const adOf = (...creatives: Creative[]): InLineAd => {
  const nothing = { impressions: [], errorUrls: [], extensions: [], verifications: [], categories: [] };
  return { kind: 'inLine', ...nothing, creatives };
};

/** The names of the chosen files, best first, or the code if there is none. */
function chooseFrom(ad: InLineAd): string[] | string {
  const chosen = chooseMediaFiles(ad, ladder);
  if ('code' in chosen) return chosen.code;
  return chosen.sources.map(({ source }) => /([\w-]+)(\.\w+)?$/.exec(new URL(source.url).pathname)![1]!);
}

const choose = (...offered: Offered[]) => chooseFrom(adOf(linear(offered)));
const reasonsFor = (...offered: Offered[]) => [choose(...offered), mediaLack(offered.map(delivered))];

describe('choosing a media file', () => {
  it('prefers the size nearest at or above the top rung, then larger ones, then smaller ones', () => {
    const small = [mp4('tiny', 320, 180), mp4('huge', 3840, 2160), mp4('full', 1920, 1080)];
    expect(choose(...small, mp4('hd', 1280, 720), mp4('sd', 640, 360))).toEqual(['hd', 'full', 'huge', 'sd', 'tiny']);
  });

  it('measures a picture of another aspect ratio by the side that fills the frame', () => {
    expect(choose(mp4('small', 960, 540), mp4('cinema', 1280, 536), mp4('portrait', 720, 1280))).toEqual([
      'cinema',
      'portrait',
      'small',
    ]);
  });

  it('prefers the bit rate nearest at or above the top rung among equal sizes', () => {
    const files = [mp4('low', 1280, 720, 900), mp4('near', 1280, 720, 3_500), mp4('high', 1280, 720, 20_000)];
    expect(choose(...files)).toEqual(['near', 'high', 'low']);
  });

  it('prefers a file to a mezzanine or manifest of the same size, and a mezzanine to a smaller file', () => {
    const hls = { url: 'https://cdn.example/hls.m3u8', type: 'application/x-mpegURL', width: 1280, height: 720 };
    const offered = linear([hls, mp4('hd', 1280, 720)], [mp4('mezzanine', 1280, 720)]);
    expect(chooseFrom(adOf(offered))).toEqual(['hd', 'hls', 'mezzanine']);
    const large = mp4('mezzanine', 1920, 1080);
    expect(chooseFrom(adOf(linear([mp4('sd', 640, 360)], [large])))).toEqual(['mezzanine', 'sd']);
    const sizeless = { url: 'https://cdn.example/master.mxf' };
    expect(chooseFrom(adOf(linear([mp4('sd', 640, 360)], [sizeless])))).toEqual(['master', 'sd']);
  });

  it('skips scripts and chooses the MP4 after them', () => {
    const vpaid = { url: 'https://cdn.example/unit.js', type: 'application/javascript', apiFramework: 'VPAID' };
    const disguised = { url: 'https://cdn.example/disguised.js?x=1', type: 'video/mp4', apiFramework: 'VPAID' };
    const flash = { url: 'https://cdn.example/flash.swf', type: 'application/x-shockwave-flash' };
    expect(choose(vpaid, disguised, flash, mp4('plain', 640, 360))).toEqual(['plain']);
    expect(reasonsFor(vpaid, disguised, flash)).toEqual(['NO_MEDIA_FILE', 'ONLY_SCRIPTS']);
  });

  it('chooses the second linear creative when the first is a script', () => {
    const scripts = linear([{ url: 'https://cdn.example/unit.js', type: 'application/javascript' }]);
    const video = linear([mp4('video', 640, 360)]);
    expect(chooseMediaFiles(adOf(scripts, video), ladder)).toMatchObject({ creative: video });
  });

  it('orders linear creatives by sequence, and removes those that are not shown', () => {
    const companions: Creative = { universalAdIds: [], extensions: [], companionAds: { companions: [] } };
    const [late, first] = [linear([mp4('late', 640, 360)]), linear([mp4('first', 640, 360)])];
    const script = linear([{ url: 'https://cdn.example/unit.js', type: 'application/javascript' }]);
    const ad = adOf(companions, { ...late, sequence: 3 }, { ...first, sequence: 2 }, { ...script, sequence: 1 });
    expect(chooseFrom(ad)).toEqual(['first']);
    expect(shownCreative(ad)).toMatchObject({ sequence: 2 });
    const reduced = withoutOtherLinears(ad, shownCreative(ad)!);
    expect(reduced.creatives).toEqual([companions, { ...first, sequence: 2 }]);
  });

  it('chooses an MP4 with an API framework, but last if its file name is not that of a video', () => {
    expect(choose({ ...mp4('claims', 1280, 720), apiFramework: 'VPAID' })).toEqual(['claims']);
    const nameless = { ...mp4('claims', 1280, 720), url: 'https://cdn.example/nameless', apiFramework: 'VPAID' };
    expect(choose(nameless, mp4('small', 320, 180))).toEqual(['small', 'nameless']);
  });

  it('uses the file name when the type is missing or wrong', () => {
    expect(choose({ url: 'https://cdn.example/a.MP4?x=.js' })).toEqual(['a']);
    expect(choose({ url: 'https://cdn.example/b.m3u8', type: 'video/mp4' })).toEqual(['b']);
    expect(choose({ url: 'https://cdn.example/c', type: 'MP4' })).toEqual(['c']);
    expect(reasonsFor({ url: 'https://cdn.example/d.png', type: '' })).toEqual(['NO_MEDIA_FILE', 'NO_VIDEO']);
    expect(choose({ ...mp4('e', 1280, 720), type: 'text/html' }, mp4('small', 320, 180))).toEqual(['small', 'e']);
    expect(choose({ ...mp4('f', 1280, 720), type: 'audio/mp4' })).toEqual(['f']);
  });

  it('reports why there is none', () => {
    expect(reasonsFor()).toEqual(['NO_MEDIA_FILE', 'NOTHING']);
    const audio = { url: 'https://cdn.example/a.mp3', type: 'audio/mpeg' };
    expect(reasonsFor(audio)).toEqual(['NO_MEDIA_FILE', 'ONLY_AUDIO']);
    const companionOnly: Creative = { universalAdIds: [], extensions: [], companionAds: { companions: [] } };
    expect(chooseMediaFiles(adOf(companionOnly), ladder)).toMatchObject({ code: 'NOT_LINEAR' });
    const neither = (holdsInstead: string[]) => chooseMediaFiles({ ...adOf(), holdsInstead }, ladder);
    const text = naming('InLine', 'Wrapper', 'Sponsored');
    expect(neither(['Sponsored'])).toEqual({ code: 'NEITHER_INLINE_NOR_WRAPPER', text });
    expect(neither([])).toMatchObject({ code: 'NEITHER_INLINE_NOR_WRAPPER' });
  });

  it('reports an invalid URL when there is no other', () => {
    const malformed = (files: Offered[], ...malformedMedia: string[]) =>
      chooseMediaFiles(adOf({ ...linear(files), linear: { ...linear(files).linear!, malformedMedia } }), ladder);
    expect(malformed([], 'htp://a/m.mp4')).toEqual({ code: 'NO_MEDIA_FILE', text: naming('"htp://a/m.mp4"') });
    expect(malformed([], 'htp://a/m.mp4', 'x')).toEqual({ code: 'NO_MEDIA_FILE', text: naming(2, '"htp://a/m.mp4"') });
    const image = { url: 'https://cdn.example/d.png', type: 'image/png' };
    expect(malformed([image], 'x')).toEqual({ code: 'NO_MEDIA_FILE', text: naming('image/png', '"x"') });
    expect(malformed([mp4('a', 1280, 720)], 'x')).toHaveProperty('sources');
  });

  it('chooses audio for an audio-only channel', () => {
    const radio: Ladder = { ...ladder, layout: 'audioOnly', rungs: ladder.rungs.slice(2) };
    const spot = adOf(linear([{ url: 'https://cdn.example/a.mp3', type: 'audio/mpeg; x=1' }]));
    expect(chooseMediaFiles(spot, radio)).toMatchObject({ sources: [{ source: { mimeType: 'audio/mpeg' } }] });
  });
});

describe('the key of a creative', () => {
  const files = [mp4('hd', 1280, 720), mp4('sd', 640, 360), mp4('hd', 1280, 720)];
  const urls = ['https://cdn.example/hd.mp4', 'https://cdn.example/sd.mp4'];
  const keys = (...ids: UniversalAdId[]) => {
    const chosen = chooseMediaFiles(adOf(linear(files, [], ids)), ladder);
    return 'code' in chosen ? chosen.text : chosen.sources.map(({ key }) => key);
  };

  it('is the UniversalAdId and the file name for the best file, and the URL for the others', () => {
    expect(keys({ registry: 'Ad-ID', value: 'CNPA0484000H' })).toEqual(['ad-id:CNPA0484000H hd.mp4', urls[1]]);
    expect(keys({ value: '1' }, { registry: 'clearcast.co.uk', value: 'AB/C' })[0]).toBe('clearcast.co.uk:AB/C hd.mp4');
  });

  it('is the same at every URL, and different for another video with the same id', () => {
    const id = { registry: 'Ad-ID', value: '8465' };
    const keyOf = (url: string) => {
      const chosen = chooseMediaFiles(adOf(linear([{ url, type: 'video/mp4' }], [], [id])), ladder);
      return 'code' in chosen ? chosen.text : chosen.sources[0]!.key;
    };
    expect(keyOf('https://one.example/a/tea.mp4?token=1')).toBe(keyOf('https://two.example/b/tea.mp4#x'));
    expect(keyOf('https://one.example/a/tea.mp4')).not.toBe(keyOf('https://one.example/a/coffee.mp4'));
  });

  it('identifies creatives by id and duration', () => {
    const identityOf = (seconds: number, name: string, ...ids: UniversalAdId[]) => {
      const creative = linear([mp4(name, 1280, 720)], [], ids);
      const timed = { ...creative, linear: { ...creative.linear!, duration: millisToFlicks(millis(seconds * 1000)) } };
      const chosen = chooseMediaFiles(adOf(timed), ladder);
      return 'code' in chosen ? chosen.text : chosen.identity;
    };
    const id = { registry: 'Ad-ID', value: '8465' };
    expect(identityOf(15, 'tea', id)).toBe(identityOf(15, 'coffee', { ...id, registry: 'AD-ID' }));
    expect(identityOf(15, 'tea', id)).not.toBe(identityOf(30, 'tea', id));
    expect(identityOf(15, 'tea', { value: '8465' })).toBeUndefined();
  });

  it('is the URL without an id that has a registry', () => {
    expect(keys()).toEqual(urls);
    expect(keys({ value: '8465' })).toEqual(urls);
  });
});
