// SPDX-License-Identifier: Apache-2.0
// Which elements an element of VAST 1.0 to 4.4 or VMAP may contain, to repair documents in which end tags are missing. Elements that
// are not here, such as Extension, may contain anything.

const inAd =
  'AdSystem AdTitle Description Advertiser Pricing Survey Error Impression Category BlockedAdCategories AdServingId Expires ' +
  'ViewableImpression AdVerifications Creatives Extensions VASTAdTagURI VASTAdTagURL Video TrackingEvents VideoClicks CompanionAds ' +
  'NonLinearAds';
const resources = 'StaticResource IFrameResource HTMLResource';
const url = 'URL';

const contents: Readonly<Record<string, string>> = {
  VMAP: 'AdBreak Extensions',
  AdBreak: 'AdSource TrackingEvents Extensions',
  AdSource: 'VASTAdData VASTData AdTagURI CustomAdData',
  VASTAdData: 'VAST VideoAdServingTemplate',
  VASTData: 'VAST VideoAdServingTemplate',
  VAST: 'Ad Error Extensions',
  VideoAdServingTemplate: 'Ad Error',
  Ad: 'InLine Wrapper',
  InLine: inAd,
  Wrapper: inAd,
  ViewableImpression: 'Viewable NotViewable ViewUndetermined',
  AdVerifications: 'Verification',
  Verification: 'JavaScriptResource ExecutableResource TrackingEvents VerificationParameters',
  Extensions: 'Extension',
  CreativeExtensions: 'CreativeExtension',
  Creatives: 'Creative',
  Creative: 'UniversalAdId CreativeExtensions Linear NonLinearAds CompanionAds',
  Video: 'Duration AdID MediaFiles TrackingEvents VideoClicks AdParameters',
  Linear: 'Duration MediaFiles TrackingEvents VideoClicks AdParameters Icons CreativeExtensions',
  MediaFiles: 'MediaFile Mezzanine InteractiveCreativeFile ClosedCaptionFiles',
  ClosedCaptionFiles: 'ClosedCaptionFile',
  TrackingEvents: 'Tracking',
  VideoClicks: 'ClickThrough ClickTracking CustomClick',
  Icons: 'Icon',
  Icon: `${resources} IconClicks IconViewTracking`,
  IconClicks: 'IconClickThrough IconClickTracking IconClickFallbackImages',
  IconClickFallbackImages: 'IconClickFallbackImage',
  CompanionAds: 'Companion',
  Companion: `${resources} AdParameters AltText CompanionClickThrough CompanionClickTracking TrackingEvents CreativeExtensions URL Code`,
  NonLinearAds: 'NonLinear TrackingEvents',
  NonLinear: `${resources} AdParameters NonLinearClickThrough NonLinearClickTracking URL Code`,
  // Without its end tag, an empty one would contain what follows it.
  ...Object.fromEntries(
    'AdSystem AdTitle Description Advertiser Pricing Survey Error Impression VASTAdTagURI VASTAdTagURL Duration Tracking MediaFile ClickThrough ClickTracking CustomClick'
      .split(' ')
      .map((name) => [name, url]),
  ),
};

/** By local names in lower case. */
export const elementContents: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(contents).map(([name, names]) => [name.toLowerCase(), new Set(names.toLowerCase().split(' '))]),
);
