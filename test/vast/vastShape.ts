// SPDX-License-Identifier: Apache-2.0
// Checks the structure of a VAST 4.2 document with InLine ads: the children of each element, their order and number, and
// required attributes. Written from the specification. Everything that is not listed is invalid.
import type { XmlElement } from '../../src/xml/element.ts';
import { readXml } from '../../src/xml/read.ts';

/** `a` once, `a?` at most once, `a*` any number, `a+` at least once. */
const children: Readonly<Record<string, string>> = {
  VAST: 'Ad*',
  Ad: 'InLine',
  InLine:
    'AdSystem Error* Extensions? Impression+ Pricing? ViewableImpression? AdServingId AdTitle AdVerifications? ' +
    'Advertiser? Category* Creatives Description? Expires? Survey?',
  Extensions: 'Extension*',
  ViewableImpression: 'Viewable* NotViewable* ViewUndetermined*',
  AdVerifications: 'Verification*',
  Verification: 'ExecutableResource* JavaScriptResource* TrackingEvents? VerificationParameters?',
  Creatives: 'Creative+',
  Creative: 'CompanionAds? CreativeExtensions? Linear? NonLinearAds? UniversalAdId+',
  Linear: 'Icons? TrackingEvents? AdParameters? Duration MediaFiles VideoClicks?',
  MediaFiles: 'ClosedCaptionFiles? MediaFile+ Mezzanine* InteractiveCreativeFile*',
  ClosedCaptionFiles: 'ClosedCaptionFile*',
  VideoClicks: 'ClickTracking* ClickThrough? CustomClick*',
  TrackingEvents: 'Tracking*',
  Icons: 'Icon+',
  Icon: 'HTMLResource* IFrameResource* StaticResource* IconClicks? IconViewTracking*',
  IconClicks: 'IconClickFallbackImages? IconClickThrough? IconClickTracking*',
  IconClickFallbackImages: 'IconClickFallbackImage+',
  IconClickFallbackImage: 'AltText? StaticResource?',
  CompanionAds: 'Companion*',
  Companion:
    'HTMLResource* IFrameResource* StaticResource* AdParameters? AltText? CompanionClickThrough? ' +
    'CompanionClickTracking* CreativeExtensions? TrackingEvents?',
  CreativeExtensions: 'CreativeExtension*',
  NonLinearAds: 'TrackingEvents? NonLinear*',
  NonLinear:
    'HTMLResource* IFrameResource* StaticResource* AdParameters? NonLinearClickThrough? NonLinearClickTracking*',
};

const required: Readonly<Record<string, string>> = {
  VAST: 'version',
  MediaFile: 'delivery type width height',
  Mezzanine: 'delivery type width height',
  Companion: 'width height',
  NonLinear: 'width height',
  UniversalAdId: 'idRegistry',
  Tracking: 'event',
  Category: 'authority',
  Pricing: 'model currency',
};

/** These may contain any XML, but no text. */
const open = ['Extension', 'CreativeExtension'];

const patternOf = (order: string): RegExp =>
  new RegExp(
    `^${order
      .split(' ')
      .map((one) => one.replace(/^(\w+)([?*+]?)$/, '(?:$1 )$2'))
      .join('')}$`,
  );

function faultsOf(element: XmlElement, place: string): string[] {
  const { local, attributes } = element;
  const here = `${place}/${local}`;
  const faults = (required[local]?.split(' ') ?? [])
    .filter((name) => attributes[name] === undefined)
    .map((name) => `${here} lacks @${name}`);
  if (open.includes(local)) {
    const isBare = element.text.trim() !== '' || element.mixed !== undefined;
    const odd = local === 'Extension' ? Object.keys(attributes).filter((name) => name !== 'type') : [];
    return [...faults, ...(isBare ? [`${here} has text`] : []), ...odd.map((name) => `${here} has @${name}`)];
  }
  const order = children[local] ?? '';
  const names = element.children.map((child) => `${child.local} `).join('');
  if (!patternOf(order).test(names)) faults.push(`${here} contains ${names}but must contain ${order || 'nothing'}`);
  return [...faults, ...element.children.flatMap((child) => faultsOf(child, here))];
}

/** Descriptions of the document's faults; empty when it is valid. */
export function vastFaults(text: string): string[] {
  const read = readXml(text);
  if (!('root' in read)) return [read.reason];
  const { root } = read;
  const isVast =
    root.local === 'VAST' && root.namespace === 'http://www.iab.com/VAST' && root.attributes.version === '4.2';
  return isVast ? faultsOf(root, '') : [`the root is ${root.name} ${JSON.stringify(root.attributes)}`];
}
