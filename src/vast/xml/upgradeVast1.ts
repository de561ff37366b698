// SPDX-License-Identifier: Apache-2.0
// Rewrites VAST 1 as VAST 2, so that one reader serves both. In VAST 1, URLs are in elements of their own, several in one
// list, and the parts of a creative are siblings in the ad.
import type { XmlElement } from '../../xml/element.ts';
import { attribute, isNamed } from './elements.ts';

type Attributes = XmlElement['attributes'];

const vast1Elements = ['video', 'vastadtagurl', 'trackingevents', 'videoclicks', 'companionads', 'nonlinearads'];
const lists = /^(trackingevents|videoclicks|mediafiles)$/i;

const isOneOf = ({ local }: XmlElement, names: readonly string[]): boolean => names.includes(local.toLowerCase());
const urlsOf = ({ children }: XmlElement): readonly XmlElement[] => children.filter((child) => isNamed(child, 'URL'));

/** @param of the element that it replaces */
function made(of: XmlElement, local: string, children: readonly XmlElement[], attributes: Attributes = {}): XmlElement {
  const { mixed: _, ...place } = of;
  return { ...place, name: local, local, attributes, children, text: '' };
}

/** One element for each URL inside the element. */
function spread(element: XmlElement): readonly XmlElement[] {
  if (lists.test(element.local)) return [made(element, element.local, element.children.flatMap(spread))];
  const urls = urlsOf(element);
  if (urls.length === 0) return [element];
  return urls.map((url) => ({
    ...made(element, element.local, [], { ...element.attributes, ...url.attributes }),
    text: url.text,
  }));
}

/** The kind of resource is an attribute in VAST 1 and an element in VAST 2. */
function resourceOf(element: XmlElement): readonly XmlElement[] {
  const type = attribute(element, 'resourceType')?.toLowerCase();
  const creativeType = attribute(element, 'creativeType');
  return element.children.flatMap((child) => {
    const content = { ...child, attributes: creativeType === undefined ? {} : { creativeType } };
    if (isNamed(child, 'Code')) return { ...content, name: 'HTMLResource', local: 'HTMLResource' };
    if (!isNamed(child, 'URL')) return spread(child);
    const local = type === 'iframe' ? 'IFrameResource' : type === 'static' ? 'StaticResource' : undefined;
    return local === undefined ? [] : { ...content, name: local, local };
  });
}

const withResources = (list: XmlElement): XmlElement =>
  made(
    list,
    list.local,
    list.children.map((one) => made(one, one.local, resourceOf(one), one.attributes)),
    list.attributes,
  );

function creativesOf(element: XmlElement): XmlElement {
  const named = (name: string) => element.children.filter((child) => isNamed(child, name));
  const video = named('Video')[0];
  const others = named('NonLinearAds').map(withResources);
  const events = named('TrackingEvents').flatMap(spread);
  const creative = (children: readonly XmlElement[], attributes: Attributes = {}) =>
    children.length === 0 ? [] : [made(element, 'Creative', children, attributes)];
  const inVideo = (video?.children ?? []).filter((child) => !isNamed(child, 'AdID')).flatMap(spread);
  // A wrapper has events and clicks without a Video. The events of an ad with overlays only are those of the overlays.
  const isLinear = video !== undefined || isNamed(element, 'Wrapper') || others.length === 0;
  const linear = [...inVideo, ...named('VideoClicks').flatMap(spread), ...(isLinear ? events : [])];
  const adId = video?.children.find((child) => isNamed(child, 'AdID'))?.text.trim();
  const overlays = others.map((list) =>
    made(list, list.local, isLinear ? list.children : [...events, ...list.children], list.attributes),
  );
  return made(element, 'Creatives', [
    ...creative(linear.length > 0 ? [made(video ?? element, 'Linear', linear)] : [], adId ? { AdID: adId } : {}),
    ...creative(overlays),
    ...creative(named('CompanionAds').map(withResources)),
  ]);
}

const renamed = (element: XmlElement): XmlElement =>
  isNamed(element, 'VASTAdTagURL') ? { ...element, name: 'VASTAdTagURI', local: 'VASTAdTagURI' } : element;

/** @param element an InLine or Wrapper; returned unchanged unless it is VAST 1 */
export function upgradeVast1(element: XmlElement): XmlElement {
  const { children } = element;
  const isVast1 = children.some((child) => isOneOf(child, vast1Elements) || urlsOf(child).length > 0);
  if (!isVast1) return element;
  const parts = children.filter((child) => !isOneOf(child, vast1Elements) || isNamed(child, 'VASTAdTagURL'));
  const creatives = creativesOf(element);
  const own = parts.flatMap((child) => spread(renamed(child)));
  return { ...element, children: creatives.children.length > 0 ? [...own, creatives] : own };
}
