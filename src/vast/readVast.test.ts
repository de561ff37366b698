import { describe, expect, it } from 'vitest';
import { readVast } from './readVast.ts';
import type { Creative, InLineAd, Linear, VastRefusal, VastResponse, WrapperAd } from './response.ts';

const seconds = (value: number) => value * 705_600_000;

function read(text: string | Uint8Array): VastResponse {
  const response = readVast(text);
  if ('reason' in response) throw new Error(`line ${response.line}: ${response.reason}`);
  return response;
}
const refusal = (text: string): VastRefusal => {
  const response = readVast(text);
  if ('ads' in response) throw new Error('was read');
  return response;
};
const vast = (...content: string[]): string => `<VAST version="4.2">\n${content.join('\n')}\n</VAST>`;
const inLine = (...content: string[]): string => `<Ad id="1"><InLine>${content.join('')}</InLine></Ad>`;
const creative = (...content: string[]): string =>
  inLine(`<Creatives><Creative>${content.join('')}</Creative></Creatives>`);
const linearOf = (content: string, attributes = ''): { linear: Linear; warnings: string[] } => {
  const { ads, warnings } = read(vast(creative(`<Linear ${attributes}>${content}</Linear>`)));
  return { linear: ads[0]!.creatives[0]!.linear!, warnings: warnings.map(({ text }) => text) };
};

const full = `<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST" xmlns:x="urn:x">
  <Ad id="ad" sequence="2" adType="video" conditionalAd="false">
    <InLine>
      <AdSystem version="7">server</AdSystem>
      <Error><![CDATA[https://a/error?c=[ERRORCODE]]]></Error>
      <Extensions><Extension type="t" x:y="1" z="2"><x:data k="v">1 &lt; 2</x:data><plain/></Extension></Extensions>
      <Impression id="i1"><![CDATA[ https://a/impression?1 ]]></Impression>
      <Impression>https://a/impression?2</Impression>
      <Pricing model="CPM" currency="usd"><![CDATA[ 25.00 ]]></Pricing>
      <ViewableImpression id="v"><Viewable>https://a/v</Viewable><NotViewable>https://a/n</NotViewable><ViewUndetermined>https://a/u</ViewUndetermined></ViewableImpression>
      <AdServingId>serving</AdServingId>
      <AdTitle>Title &amp; more</AdTitle>
      <AdVerifications>
        <Verification vendor="vendor">
          <ExecutableResource apiFramework="omid" type="application/x" language="c"><![CDATA[https://a/exec]]></ExecutableResource>
          <JavaScriptResource apiFramework="omid" browserOptional="True"><![CDATA[https://a/verify.js]]></JavaScriptResource>
          <TrackingEvents><Tracking event="verificationNotExecuted">https://a/notExecuted</Tracking></TrackingEvents>
          <VerificationParameters><![CDATA[{"k":"v"}]]></VerificationParameters>
        </Verification>
      </AdVerifications>
      <Advertiser>Advertiser</Advertiser>
      <Category authority="https://a/categories">IAB1-2</Category>
      <Creatives>
        <Creative id="c1" sequence="1" adId="adId" apiFramework="VPAID">
          <CreativeExtensions><CreativeExtension type="e">text</CreativeExtension></CreativeExtensions>
          <Linear skipoffset="00:00:05">
            <Icons>
              <Icon program="AdChoices" width="20" height="10" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:05" pxratio="2">
                <StaticResource creativeType="image/png">https://a/icon.png</StaticResource>
                <IconClicks>
                  <IconClickFallbackImages><IconClickFallbackImage width="5"><AltText>alt</AltText><StaticResource>https://a/fallback.png</StaticResource></IconClickFallbackImage></IconClickFallbackImages>
                  <IconClickThrough>https://a/iconThrough</IconClickThrough>
                  <IconClickTracking id="t">https://a/iconTracking</IconClickTracking>
                </IconClicks>
                <IconViewTracking>https://a/iconView</IconViewTracking>
              </Icon>
            </Icons>
            <TrackingEvents>
              <Tracking event="start">https://a/start</Tracking>
              <Tracking event="progress" offset="25%">https://a/progress</Tracking>
            </TrackingEvents>
            <AdParameters xmlEncoded="1"><![CDATA[<a b="c"/>]]></AdParameters>
            <Duration>00:00:16.500</Duration>
            <MediaFiles>
              <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="sv">https://a/sv.vtt</ClosedCaptionFile></ClosedCaptionFiles>
              <MediaFile id="m" delivery="progressive" type="video/mp4" bitrate="2000" width="1280" height="720" minBitrate="1500" maxBitrate="2500" scalable="1" maintainAspectRatio="0" codec="H.264" fileSize="1234" mediaType="2D" apiFramework="VPAID">https://a/m.mp4</MediaFile>
              <Mezzanine delivery="progressive" type="video/mp4" width="1920" height="1080">https://a/mezzanine.mp4</Mezzanine>
              <InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">https://a/simid.html</InteractiveCreativeFile>
            </MediaFiles>
            <VideoClicks>
              <ClickTracking id="ct">https://a/clickTracking</ClickTracking>
              <ClickThrough>https://a/clickThrough</ClickThrough>
              <CustomClick id="cc">https://a/customClick</CustomClick>
            </VideoClicks>
          </Linear>
          <UniversalAdId idRegistry="Ad-ID">8465</UniversalAdId>
          <UniversalAdId idRegistry="Foo">9999</UniversalAdId>
        </Creative>
        <Creative>
          <CompanionAds required="any">
            <Companion id="comp" width="300" height="250" assetWidth="1" assetHeight="2" expandedWidth="3" expandedHeight="4" apiFramework="SIMID" adSlotId="slot" pxratio="1.5" renderingMode="end-card">
              <HTMLResource><![CDATA[<b>html</b>]]></HTMLResource>
              <IFrameResource>https://a/frame</IFrameResource>
              <StaticResource creativeType="image/jpeg">https://a/companion.jpg</StaticResource>
              <AdParameters>p</AdParameters>
              <AltText>companion</AltText>
              <CompanionClickThrough>https://a/companionThrough</CompanionClickThrough>
              <CompanionClickTracking id="k">https://a/companionTracking</CompanionClickTracking>
              <TrackingEvents><Tracking event="creativeView">https://a/companionView</Tracking></TrackingEvents>
            </Companion>
          </CompanionAds>
          <NonLinearAds>
            <TrackingEvents><Tracking event="close">https://a/close</Tracking></TrackingEvents>
            <NonLinear id="n" width="5" height="6" scalable="true" maintainAspectRatio="false" minSuggestedDuration="00:00:10">
              <StaticResource creativeType="image/gif">https://a/overlay.gif</StaticResource>
              <NonLinearClickThrough>https://a/nonLinearThrough</NonLinearClickThrough>
              <NonLinearClickTracking id="q">https://a/nonLinearTracking</NonLinearClickTracking>
            </NonLinear>
          </NonLinearAds>
        </Creative>
      </Creatives>
      <Description>Description</Description>
      <Expires>3600</Expires>
      <Survey type="text/javascript">https://a/survey</Survey>
    </InLine>
  </Ad>
</VAST>`;

describe('an InLine ad', () => {
  it('is read with everything that it says', () => {
    const { version, ads, errorUrls, warnings } = read(full);
    expect({ version, errorUrls, warnings }).toEqual({ version: '4.2', errorUrls: [], warnings: [] });
    const { creatives, ...ad } = ads[0] as InLineAd;
    expect(ad).toEqual({
      kind: 'inLine',
      id: 'ad',
      sequence: 2,
      adType: 'video',
      conditionalAd: false,
      adSystem: { name: 'server', version: '7' },
      impressions: [{ id: 'i1', url: 'https://a/impression?1' }, { url: 'https://a/impression?2' }],
      errorUrls: ['https://a/error?c=[ERRORCODE]'],
      viewableImpression: {
        id: 'v',
        viewable: ['https://a/v'],
        notViewable: ['https://a/n'],
        viewUndetermined: ['https://a/u'],
      },
      pricing: { value: 25, model: 'cpm', currency: 'USD' },
      extensions: [
        { type: 't', attributes: { z: '2' }, content: '<x:data k="v" xmlns:x="urn:x">1 &lt; 2</x:data><plain/>' },
      ],
      verifications: [
        {
          vendor: 'vendor',
          executableResources: [{ url: 'https://a/exec', apiFramework: 'omid', type: 'application/x', language: 'c' }],
          javaScriptResources: [{ url: 'https://a/verify.js', apiFramework: 'omid', browserOptional: true }],
          trackingEvents: [{ event: 'verificationNotExecuted', url: 'https://a/notExecuted' }],
          parameters: '{"k":"v"}',
        },
      ],
      adTitle: 'Title & more',
      adServingId: 'serving',
      description: 'Description',
      advertiser: 'Advertiser',
      categories: [{ authority: 'https://a/categories', value: 'IAB1-2' }],
      survey: { url: 'https://a/survey', type: 'text/javascript' },
      expires: 3600,
    });
    expect(creatives).toEqual([linearCreative, otherCreative]);
  });
});

const linearCreative: Creative = {
  id: 'c1',
  sequence: 1,
  adId: 'adId',
  apiFramework: 'VPAID',
  universalAdIds: [
    { registry: 'Ad-ID', value: '8465' },
    { registry: 'Foo', value: '9999' },
  ],
  extensions: [{ type: 'e', attributes: {}, content: 'text' }],
  linear: {
    duration: seconds(16.5) as never,
    skipOffset: { kind: 'time', at: seconds(5) as never },
    trackingEvents: [
      { event: 'start', url: 'https://a/start' },
      { event: 'progress', url: 'https://a/progress', offset: { kind: 'percent', percent: 25 } },
    ],
    adParameters: { value: '<a b="c"/>', xmlEncoded: true },
    mediaFiles: [
      {
        url: 'https://a/m.mp4',
        id: 'm',
        delivery: 'progressive',
        type: 'video/mp4',
        width: 1280,
        height: 720,
        codec: 'H.264',
        bitrate: 2000,
        minBitrate: 1500,
        maxBitrate: 2500,
        scalable: true,
        maintainAspectRatio: false,
        fileSize: 1234,
        mediaType: '2D',
        apiFramework: 'VPAID',
      },
    ],
    mezzanines: [
      { url: 'https://a/mezzanine.mp4', delivery: 'progressive', type: 'video/mp4', width: 1920, height: 1080 },
    ],
    interactiveFiles: [
      { url: 'https://a/simid.html', type: 'text/html', apiFramework: 'SIMID', variableDuration: true },
    ],
    closedCaptions: [{ url: 'https://a/sv.vtt', type: 'text/vtt', language: 'sv' }],
    clickThrough: { url: 'https://a/clickThrough' },
    clickTrackings: [{ id: 'ct', url: 'https://a/clickTracking' }],
    customClicks: [{ id: 'cc', url: 'https://a/customClick' }],
    icons: [
      {
        program: 'AdChoices',
        width: 20,
        height: 10,
        xPosition: 'right',
        yPosition: 'top',
        offset: seconds(1) as never,
        duration: seconds(5) as never,
        pxratio: 2,
        staticResources: [{ url: 'https://a/icon.png', creativeType: 'image/png' }],
        iframeResources: [],
        htmlResources: [],
        clickThrough: 'https://a/iconThrough',
        clickTrackings: [{ id: 't', url: 'https://a/iconTracking' }],
        fallbackImages: [{ url: 'https://a/fallback.png', altText: 'alt', width: 5 }],
        viewTrackings: ['https://a/iconView'],
      },
    ],
  },
};

const otherCreative: Creative = {
  universalAdIds: [],
  extensions: [],
  companionAds: {
    required: 'any',
    companions: [
      {
        id: 'comp',
        width: 300,
        height: 250,
        assetWidth: 1,
        assetHeight: 2,
        expandedWidth: 3,
        expandedHeight: 4,
        apiFramework: 'SIMID',
        adSlotId: 'slot',
        pxratio: 1.5,
        renderingMode: 'end-card',
        htmlResources: ['<b>html</b>'],
        iframeResources: ['https://a/frame'],
        staticResources: [{ url: 'https://a/companion.jpg', creativeType: 'image/jpeg' }],
        adParameters: { value: 'p' },
        altText: 'companion',
        clickThrough: 'https://a/companionThrough',
        clickTrackings: [{ id: 'k', url: 'https://a/companionTracking' }],
        trackingEvents: [{ event: 'creativeView', url: 'https://a/companionView' }],
        extensions: [],
      },
    ],
  },
  nonLinearAds: {
    trackingEvents: [{ event: 'close', url: 'https://a/close' }],
    nonLinears: [
      {
        id: 'n',
        width: 5,
        height: 6,
        scalable: true,
        maintainAspectRatio: false,
        minSuggestedDuration: seconds(10) as never,
        staticResources: [{ url: 'https://a/overlay.gif', creativeType: 'image/gif' }],
        iframeResources: [],
        htmlResources: [],
        clickThrough: 'https://a/nonLinearThrough',
        clickTrackings: [{ id: 'q', url: 'https://a/nonLinearTracking' }],
      },
    ],
  },
};

describe('a Wrapper ad', () => {
  const wrapper = (attributes: string, content: string) =>
    read(vast(`<Ad><Wrapper ${attributes}>${content}</Wrapper></Ad>`)).ads[0] as WrapperAd;

  it('leads on, with what it tracks itself', () => {
    expect(
      wrapper(
        'followAdditionalWrappers="0" allowMultipleAds="1" fallbackOnNoAd="false"',
        `<AdSystem>s</AdSystem><Impression>https://a/i</Impression><BlockedAdCategories authority="x">A, B</BlockedAdCategories>
         <Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://a/s</Tracking></TrackingEvents></Linear></Creative></Creatives>
         <VASTAdTagURI><![CDATA[//b.example/vast?c=[CACHEBUSTING]]]></VASTAdTagURI>`,
      ),
    ).toMatchObject({
      kind: 'wrapper',
      tagUrl: 'https://b.example/vast?c=[CACHEBUSTING]',
      followAdditionalWrappers: false,
      allowMultipleAds: true,
      fallbackOnNoAd: false,
      blockedCategories: [{ authority: 'x', value: 'A, B' }],
      creatives: [{ linear: { trackingEvents: [{ event: 'start', url: 'https://a/s' }], mediaFiles: [] } }],
    });
  });

  it('follows wrappers and takes no pod unless it says otherwise', () => {
    const ad = wrapper('', '<VASTAdTagURI>https://b.example/</VASTAdTagURI>');
    expect(ad).toMatchObject({ followAdditionalWrappers: true, allowMultipleAds: false });
    expect(ad.fallbackOnNoAd).toBeUndefined();
  });

  it('that leads nowhere came back all the same', () => {
    expect(wrapper('', '<VASTAdTagURI>nowhere</VASTAdTagURI>').tagUrl).toBeUndefined();
  });
});

describe('a response', () => {
  it('keeps pods and stand-alone ads as they are counted', () => {
    const ad = (sequence: string) => `<Ad ${sequence}><InLine/></Ad>`;
    const sequences = (...all: string[]) => read(vast(...all.map(ad))).ads.map(({ sequence }) => sequence);
    expect(sequences('sequence="2"', '', 'sequence="1"')).toEqual([2, undefined, 1]);
    expect(sequences('sequence="0"', 'sequence="1"')).toEqual([0, 1]);
    expect(sequences('sequence="1"', 'sequence="1"')).toEqual([1, 1]);
    expect(sequences('sequence="first"')).toEqual([undefined]);
  });

  it('may have no ad, and say whom to tell', () => {
    expect(read(vast())).toEqual({ version: '4.2', ads: [], errorUrls: [], warnings: [] });
    expect(read(vast('<Error>https://a/noad</Error>')).errorUrls).toEqual(['https://a/noad']);
  });

  it('is read in every version and every spelling of names', () => {
    const odd = read(
      `<vast VERSION="2.0"><AD ID="1" Sequence="3"><inline><adsystem>s</adsystem><IMPRESSION ID="x">http://a/i</IMPRESSION><creatives><creative AdID="c"><linear><duration>00:00:10</duration><mediafiles><mediafile TYPE="video/mp4" Width="640">http://a/m.mp4</mediafile></mediafiles></linear></creative></creatives></inline></AD></vast>`,
    );
    expect(odd.warnings).toEqual([]);
    expect(odd.ads[0]).toMatchObject({
      id: '1',
      sequence: 3,
      impressions: [{ id: 'x', url: 'http://a/i' }],
      creatives: [{ adId: 'c', linear: { duration: seconds(10), mediaFiles: [{ type: 'video/mp4', width: 640 }] } }],
    });
  });

  it('warns of a version that it does not know, and reads on', () => {
    const { warnings, ads } = read('<VAST version="9"><Ad><InLine/></Ad></VAST>');
    expect(warnings[0]).toEqual({ line: 1, text: 'VAST@version must be 2.0 to 4.3, got "9"' });
    expect(ads).toHaveLength(1);
  });

  it('is refused with line, reason and code when it is no VAST', () => {
    expect(refusal('')).toEqual({ line: 1, reason: 'the document is empty', code: 100 });
    expect(refusal('\n<html><body></html>')).toMatchObject({ line: 2, code: 100 });
    expect(refusal('{"ads": []}').code).toBe(100);
    expect(refusal('\n\n<html/>')).toEqual({ line: 3, reason: 'the root element must be VAST, got html', code: 101 });
    expect(refusal('<VideoAdServingTemplate/>')).toMatchObject({ code: 102 });
    expect(refusal('<VAST><Ad>')).toMatchObject({ code: 100, reason: 'unclosed tag: Ad' });
    expect(refusal('<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]><VAST>&x;</VAST>')).toMatchObject({
      code: 100,
      reason: 'a DOCTYPE with an internal subset is not read',
    });
  });

  it('is decoded from bytes as it declares', () => {
    const text =
      '<?xml version="1.0" encoding="iso-8859-1"?><VAST version="3.0"><Ad><InLine><AdTitle>Räksmörgås</AdTitle></InLine></Ad></VAST>';
    const { ads } = read(Uint8Array.from(text, (character) => character.charCodeAt(0)));
    expect((ads[0] as InLineAd).adTitle).toBe('Räksmörgås');
  });
});

describe('what is odd costs a warning, never the ad', () => {
  it('elements that nobody knows, on their line', () => {
    const { ads, warnings } = read(vast('<Foo/>', '<Ad><InLine><Bar>\n</Bar></InLine><Baz/></Ad>'));
    expect(ads).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, text: 'VAST holds Foo, which is not known there and not read' },
      { line: 4, text: 'Ad holds Baz besides its InLine or Wrapper, which is not read' },
      { line: 3, text: 'InLine holds Bar, which is not known there and not read' },
    ]);
  });

  it('an Ad that holds nothing', () => {
    const { ads, warnings } = read(vast('<Ad id="x"/>'));
    expect(ads).toMatchObject([{ kind: 'inLine', id: 'x', creatives: [] }]);
    expect(warnings[0]!.text).toContain('holds neither');
  });

  it('faults of the XML', () => {
    const { ads, warnings } = read(
      '\n<!-- c --><?xml version="1.0"?>\n<v:VAST version="3.0"><v:Ad><v:InLine><v:Impression>http://a/?x=1&y=2</v:Impression></v:InLine></v:Ad></v:VAST> trailing',
    );
    expect(ads[0]!.impressions).toEqual([{ url: 'http://a/?x=1&y=2' }]);
    expect(warnings.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('URLs that are none, and those that say that they are none', () => {
    const { ads, warnings } = read(
      vast(inLine('<Impression>about:blank</Impression><Impression/><Impression>N/A</Impression><Error></Error>')),
    );
    expect(ads[0]).toMatchObject({ impressions: [], errorUrls: [] });
    expect(warnings).toEqual([{ line: 2, text: 'Impression must be a URL, got "N/A"' }]);
  });

  it('durations that are none', () => {
    for (const text of ['', 'undefined', 'NaN', '00:00:00']) {
      expect(linearOf(`<Duration>${text}</Duration>`).linear.duration).toBeUndefined();
    }
    expect(linearOf('<Duration>undefined</Duration>').warnings[0]).toBe(
      'Duration must be a time such as 00:00:30, got "undefined"',
    );
    expect(linearOf('<Duration>30</Duration>')).toMatchObject({ linear: { duration: seconds(30) }, warnings: [] });
  });

  it('attributes that can not be read', () => {
    const { linear, warnings } = linearOf(
      '<MediaFiles><MediaFile width="wide" height="360px" bitrate="-1" scalable="perhaps" delivery="pigeon">https://a/m.mp4</MediaFile></MediaFiles>',
      'skipoffset="never"',
    );
    expect(linear.mediaFiles).toEqual([{ url: 'https://a/m.mp4', delivery: 'progressive', height: 360 }]);
    expect(linear.skipOffset).toBeUndefined();
    expect(warnings).toHaveLength(5);
  });

  it('events of other versions, other makers, other cases', () => {
    const tracking = (event: string) => `<Tracking event="${event}">https://a/</Tracking>`;
    const { linear, warnings } = linearOf(
      `<TrackingEvents>${['FirstQuartile', 'fullscreen', 'acceptInvitationLinear', 'makersOwn'].map(tracking).join('')}<Tracking>https://a/</Tracking></TrackingEvents>`,
    );
    expect(linear.trackingEvents.map(({ event }) => event)).toEqual([
      'firstQuartile',
      'fullscreen',
      'acceptInvitationLinear',
      'makersOwn',
    ]);
    expect(warnings).toEqual([
      'Tracking has the event "makersOwn", which VAST does not know',
      'Tracking must have an event, it has none and is not read',
    ]);
  });

  it('lists that come twice', () => {
    const file = (name: string) => `<MediaFiles><MediaFile type="video/mp4">https://a/${name}</MediaFile></MediaFiles>`;
    const twice = '<TrackingEvents><Tracking event="start">https://a/s</Tracking></TrackingEvents>';
    const { linear, warnings } = linearOf(file('1') + file('2') + twice + twice);
    expect(linear.mediaFiles.map(({ url }) => url)).toEqual(['https://a/1', 'https://a/2']);
    expect(linear.trackingEvents).toHaveLength(2);
    expect(warnings).toEqual([]);
    const creatives = '<Creatives><Creative id="x"/></Creatives>';
    expect(read(vast(inLine(creatives, creatives))).ads[0]!.creatives).toHaveLength(2);
  });

  it('a number of warnings that has an end', () => {
    expect(read(vast(...Array<string>(500).fill('<Foo/>'))).warnings).toHaveLength(100);
  });
});

describe('media files', () => {
  it('keep bit rates in kbit/s, whichever way they were counted', () => {
    const file = (bitrate: number) =>
      `<MediaFile bitrate="${bitrate}" width="1280" height="720" type="video/mp4">https://a/${bitrate}</MediaFile>`;
    const { linear, warnings } = linearOf(`<MediaFiles>${file(2500)}${file(1_500_000)}</MediaFiles>`);
    expect(linear.mediaFiles.map(({ bitrate }) => bitrate)).toEqual([2500, 1500]);
    expect(warnings).toEqual(['MediaFile@bitrate is 1500000, taken for bit/s and not kbit/s']);
  });

  it('stay beside each other: VPAID, MP4 with an apiFramework, manifests', () => {
    const { linear } = linearOf(
      `<MediaFiles><MediaFile type="application/javascript" apiFramework="VPAID">https://a/v.js</MediaFile>
       <MediaFile type="video/mp4" apiFramework="VPAID">https://a/m.mp4</MediaFile>
       <MediaFile type="application/x-mpegURL">https://a/m.m3u8</MediaFile></MediaFiles>`,
    );
    expect(linear.mediaFiles.map(({ type, apiFramework, delivery }) => [type, apiFramework, delivery])).toEqual([
      ['application/javascript', 'VPAID', 'progressive'],
      ['video/mp4', 'VPAID', 'progressive'],
      ['application/x-mpegURL', undefined, 'streaming'],
    ]);
  });

  it('without a URL are told', () => {
    expect(linearOf('<MediaFiles><MediaFile type="video/mp4"/></MediaFiles>').warnings).toEqual([
      'MediaFile names no URL',
    ]);
  });
});

describe('UniversalAdId', () => {
  const ids = (xml: string) => read(vast(creative(xml, '<Linear/>'))).ads[0]!.creatives[0]!.universalAdIds;

  it('is taken from its text, or from the attribute of VAST 4.0', () => {
    expect(ids('<UniversalAdId idRegistry="Ad-ID" idValue="1">2</UniversalAdId>')).toEqual([
      { registry: 'Ad-ID', value: '2' },
    ]);
    expect(ids('<UniversalAdId idRegistry="Ad-ID" idValue="1">unknown</UniversalAdId>')).toEqual([
      { registry: 'Ad-ID', value: '1' },
    ]);
    expect(ids('<UniversalAdId idRegistry="unknown">x</UniversalAdId>')).toEqual([{ value: 'x' }]);
  });

  it('that says it is unknown is none', () => {
    expect(ids('<UniversalAdId idRegistry="unknown">unknown</UniversalAdId><UniversalAdId idRegistry="a"/>')).toEqual(
      [],
    );
  });
});
