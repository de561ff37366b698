// SPDX-License-Identifier: Apache-2.0
// fast-check arbitraries for ads.
import fc from 'fast-check';
import { flicks } from '../../src/time/units.ts';
import type { Creative, InLineAd, Linear, WrapperAd } from '../../src/vast/response.ts';

const writable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+$/u;
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((one) => one.trim())
  .filter((one) => writable.test(one) && !/^unknown$/i.test(one));
const name = fc.stringMatching(/^[A-Za-z][\w-]{0,6}$/).filter((one) => !/^(xml|type$|xmlns)/i.test(one));
const url = fc
  .tuple(fc.webUrl({ withQueryParameters: true }), fc.constantFrom('', '?a=1&b=[CACHEBUSTING]', '#<]]>"x"'))
  .map(([base, more]) => base + more);
const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });
const size = fc.integer({ min: 1, max: 4000 });
const time = fc.nat(86_399_999).map((ms) => flicks(ms * 705_600));
const some = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;
/** Merges required and optional fields. */
const both = <A extends object, B extends object>(a: fc.Arbitrary<A>, b: fc.Arbitrary<B>) =>
  fc.tuple(a, b).map(([one, other]) => ({ ...one, ...other }));

const identified = both(fc.record({ url }), some({ id: text }));
const offset = fc.oneof(
  time.map((at) => ({ kind: 'time' as const, at })),
  fc.nat(100_000).map((thousandths) => ({ kind: 'percent' as const, percent: thousandths / 1000 })),
);
const tracking = both(
  fc.record({ url, event: fc.constantFrom('start', 'progress', 'complete', 'otherAdInteraction', 'close') }),
  some({ offset }),
);
const extension = both(
  fc.record({
    attributes: fc.dictionary(name, text, { maxKeys: 2, noNullPrototype: true }),
    content: fc.constantFrom(
      '',
      '<a/>',
      '<a b="c">\n<d/>\n</a><e>x &amp; y</e>',
      'text',
      '<a/> text',
      '<x:y xmlns:x="urn:x"/>',
    ),
  }),
  some({ type: text }),
);
const resources = {
  staticResources: list(both(fc.record({ url }), some({ creativeType: text }))),
  iframeResources: list(url),
  htmlResources: list(text),
};
const adParameters = both(fc.record({ value: text }), some({ xmlEncoded: fc.boolean() }));
const shared = { id: text, type: text, width: size, height: size, codec: text, fileSize: size, mediaType: text };
const delivery = fc.constantFrom('progressive' as const, 'streaming' as const);
const mediaFile = both(
  fc.record({ url, delivery }),
  some({
    ...shared,
    bitrate: size,
    minBitrate: size,
    maxBitrate: size,
    scalable: fc.boolean(),
    maintainAspectRatio: fc.boolean(),
    apiFramework: text,
  }),
).filter(({ bitrate = 0, minBitrate = 0, maxBitrate = 0 }) => Math.max(bitrate, minBitrate, maxBitrate) < 4000);
const icon = both(
  fc.record({
    ...resources,
    clickTrackings: list(identified),
    fallbackImages: list(some({ url, altText: text, width: size, height: size })),
    viewTrackings: list(url),
  }),
  some({
    program: text,
    width: size,
    height: size,
    xPosition: fc.constantFrom('left', '12'),
    yPosition: fc.constantFrom('bottom', '0'),
    duration: time,
    offset: time,
    apiFramework: text,
    pxratio: fc.constantFrom(1, 1.5, 0.25),
    clickThrough: url,
  }),
);
const linear = both(
  fc.record({
    trackingEvents: list(tracking),
    mediaFiles: list(mediaFile),
    mezzanines: list(both(fc.record({ url, delivery }), some(shared))),
    interactiveFiles: list(
      both(fc.record({ url }), some({ type: text, apiFramework: text, variableDuration: fc.boolean() })),
    ),
    closedCaptions: list(both(fc.record({ url }), some({ type: text, language: text }))),
    clickTrackings: list(identified),
    customClicks: list(identified),
    icons: list(icon),
  }),
  some({ duration: time.filter((one) => one > 0), skipOffset: offset, adParameters, clickThrough: identified }),
);
const companion = both(
  fc.record({
    ...resources,
    clickTrackings: list(identified),
    trackingEvents: list(tracking),
    extensions: list(extension),
  }),
  some({
    id: text,
    width: size,
    height: size,
    assetWidth: size,
    expandedHeight: size,
    adSlotId: text,
    pxratio: fc.constantFrom(1, 2.5),
    renderingMode: fc.constantFrom('default', 'end-card', 'concurrent'),
    adParameters,
    altText: text,
    clickThrough: url,
  }),
);
const nonLinear = both(
  fc.record({ ...resources, clickTrackings: list(identified) }),
  some({
    id: text,
    width: size,
    height: size,
    scalable: fc.boolean(),
    minSuggestedDuration: time,
    adParameters,
    clickThrough: url,
  }),
);
const companionAds = both(
  fc.record({ companions: list(companion) }),
  some({ required: fc.constantFrom('all', 'any', 'none') }),
);
const creative = both(
  fc.record({
    universalAdIds: list(both(fc.record({ value: text }), some({ registry: text }))),
    extensions: list(extension),
    companionAds,
  }),
  some({
    id: text,
    adId: text,
    sequence: size,
    apiFramework: text,
    linear,
    nonLinearAds: fc.record({ trackingEvents: list(tracking), nonLinears: list(nonLinear) }),
  }),
);
const verification = both(
  fc.record({
    javaScriptResources: list(both(fc.record({ url }), some({ apiFramework: text, browserOptional: fc.boolean() }))),
    executableResources: list(both(fc.record({ url }), some({ apiFramework: text, type: text }))),
    trackingEvents: list(fc.record({ event: fc.constant('verificationNotExecuted'), url })),
  }),
  some({ vendor: text, parameters: text }),
);
const common = {
  impressions: list(identified),
  errorUrls: list(url),
  extensions: list(extension),
  verifications: list(verification),
};
const optional = {
  id: text,
  sequence: fc.nat(20),
  adType: fc.constantFrom('video', 'audio', 'hybrid'),
  conditionalAd: fc.boolean(),
  adSystem: both(fc.record({ name: text }), some({ version: text })),
  viewableImpression: both(
    fc.record({ viewable: list(url), notViewable: list(url), viewUndetermined: list(url) }),
    some({ id: text }),
  ),
  pricing: fc.record({
    value: fc.nat(100_000).map((cents) => cents / 100),
    model: fc.constantFrom('cpm', 'cpv'),
    currency: fc.constantFrom('USD', 'SEK'),
  }),
};
const category = both(fc.record({ value: text }), some({ authority: text }));
export const inLineAd: fc.Arbitrary<InLineAd> = both(
  fc.record({ kind: fc.constant('inLine' as const), ...common, creatives: list(creative), categories: list(category) }),
  some({
    ...optional,
    adTitle: text,
    adServingId: text,
    description: text,
    advertiser: text,
    survey: both(fc.record({ url }), some({ type: text })),
    expires: size,
  }),
) as fc.Arbitrary<InLineAd>;

/** A creative without the elements that VAST 4.2 allows only in InLine ads. */
const wrapperCreative = (one: Creative): Creative => {
  const bare = { mediaFiles: [], mezzanines: [], interactiveFiles: [], closedCaptions: [] };
  const { duration: _duration, adParameters: _parameters, ...linearRest } = one.linear ?? ({} as Linear);
  return {
    ...one,
    universalAdIds: [],
    extensions: [],
    ...(one.linear && { linear: { ...linearRest, ...bare } as Linear }),
    ...(one.nonLinearAds && { nonLinearAds: { ...one.nonLinearAds, nonLinears: [] } }),
  };
};
export const wrapperAd: fc.Arbitrary<WrapperAd> = both(
  fc.record({
    kind: fc.constant('wrapper' as const),
    ...common,
    creatives: list(creative as fc.Arbitrary<Creative>).map((all) => all.map(wrapperCreative)),
    tagUrl: url,
    followAdditionalWrappers: fc.boolean(),
    allowMultipleAds: fc.boolean(),
    blockedCategories: list(category),
  }),
  some({ ...optional, fallbackOnNoAd: fc.boolean() }),
) as fc.Arbitrary<WrapperAd>;
