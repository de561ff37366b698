// SPDX-License-Identifier: Apache-2.0
// The largest ad responses that Midroll accepts, each of a different kind.
type LargeAnswer = { readonly name: string; readonly document: string };

const many = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('\n');
const events = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const tracking = (each: number): string =>
  events
    .map((event) =>
      many(
        each,
        (index) =>
          `<Tracking event="${event}"><![CDATA[https://t.example/${event}/${index}?cb=[CACHEBUSTING]]]></Tracking>`,
      ),
    )
    .join('\n');
const media = (count: number): string =>
  many(
    count,
    (index) =>
      `<MediaFile type="video/mp4" width="${640 + index}" height="360">https://c.example/${index}.mp4</MediaFile>`,
  );
const ad = (index: number, { urls = 1, files = 1, more = '' } = {}): string =>
  `<Ad id="${index}"><InLine><AdSystem>bench</AdSystem><AdTitle>Ad ${index}</AdTitle><Error>https://t.example/error?code=[ERRORCODE]</Error>
   <Impression><![CDATA[https://t.example/impression/${index}?cb=[CACHEBUSTING]]]></Impression><Creatives><Creative><Linear>
   <Duration>00:00:15</Duration><TrackingEvents>${tracking(urls)}</TrackingEvents><MediaFiles>${media(files)}</MediaFiles>
   </Linear></Creative></Creatives>${more}</InLine></Ad>`;
const vast = (content: string): string => `<VAST version="4.2">${content}</VAST>`;
const wrapper = (tag: string, index: number): string =>
  `<Ad id="w${index}"><Wrapper allowMultipleAds="true"><AdSystem>bench</AdSystem><VASTAdTagURI><![CDATA[${tag}?n=${index}]]></VASTAdTagURI>
   <Creatives><Creative><Linear><TrackingEvents>${tracking(20)}</TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad>`;

/** @param base URL of the server that serves them */
export function answersFor(base: string): LargeAnswer[] {
  const documents = {
    usual: vast(many(5, (index) => ad(index, { urls: 3, files: 4 }))),
    justSmall: vast(many(24, (index) => ad(index))).slice(0, 32 * 1024),
    manyAds: vast(many(3000, (index) => ad(index, { urls: 0 }))),
    manyUrls: vast(many(50, (index) => ad(index, { urls: 80 }))),
    oneAd: vast(ad(0, { urls: 3600 })),
    manyFiles: vast(many(50, (index) => ad(index, { files: 350 }))),
    longExtension: vast(
      ad(0, { more: `<Extensions><Extension type="x">${'<a b="c">d</a>'.repeat(120_000)}</Extension></Extensions>` }),
    ),
    escaped: vast(ad(0, { more: `<Description>${'&amp;'.repeat(400_000)}</Description>` })),
    behindWrappers: vast(many(12, (index) => ad(index, { urls: 80 }))),
    wrappers: vast(many(30, (index) => wrapper(`${base}/behindWrappers`, index))),
  };
  return Object.entries(documents).map(([name, document]) => ({ name, document }));
}
