// SPDX-License-Identifier: Apache-2.0
// Reads verification resources (VAST 4.2 §3.16). Before VAST 4.1 they were in an Extension of the type "AdVerifications" (Open
// Measurement, "Compatibility with VAST"), and many servers still send them there.
import type { XmlElement } from '../../xml/element.ts';
import type { TrackingEvent, Verification } from '../response.ts';
import { attribute, booleanAttribute, isNamed, textOf, visit, type Warn, withoutUndefined } from '../xml/elements.ts';
import { collectTracking, urlIn } from './readSharedElements.ts';

export function readVerification(element: XmlElement, warn: Warn): Verification {
  const javaScriptResources: Verification['javaScriptResources'][number][] = [];
  const executableResources: Verification['executableResources'][number][] = [];
  const trackingEvents: TrackingEvent[] = [];
  let parameters: string | undefined;
  visit(element, warn, {
    JavaScriptResource: (child) => {
      const url = urlIn(child, warn);
      const browserOptional = booleanAttribute(child, 'browserOptional', warn);
      const apiFramework = attribute(child, 'apiFramework');
      if (url) javaScriptResources.push({ url, ...withoutUndefined({ apiFramework, browserOptional }) });
    },
    ExecutableResource: (child) => {
      const url = urlIn(child, warn);
      const [apiFramework, type, language] = ['apiFramework', 'type', 'language'].map((name) => attribute(child, name));
      if (url) executableResources.push({ url, ...withoutUndefined({ apiFramework, type, language }) });
    },
    TrackingEvents: collectTracking(trackingEvents, warn),
    VerificationParameters: (child) => {
      parameters = textOf(child);
    },
  });
  const vendor = attribute(element, 'vendor');
  return { ...withoutUndefined({ vendor, parameters }), javaScriptResources, executableResources, trackingEvents };
}

const isList = (element: XmlElement): boolean => isNamed(element, 'AdVerifications');
const isTyped = (extension: XmlElement): boolean => /^adverifications?$/i.test(attribute(extension, 'type') ?? '');

/** The elements of an Extension that contain Verification elements: lists, or the Extension itself. */
const listsIn = (extension: XmlElement): XmlElement[] => [
  ...extension.children.filter(isList),
  ...(isTyped(extension) && extension.children.some((child) => isNamed(child, 'Verification')) ? [extension] : []),
];

/** @param extensions the element Extensions */
export function verificationsIn(extensions: XmlElement, warn: Warn): Verification[] {
  const found: Verification[] = [];
  for (const list of extensions.children.flatMap(listsIn)) {
    for (const child of list.children) {
      if (isNamed(child, 'Verification')) found.push(readVerification(child, warn));
    }
  }
  return found;
}

/** The Extensions without the elements that verificationsIn reads. With both, a player would verify twice. */
export function withoutVerifications(extensions: XmlElement): XmlElement {
  const children = extensions.children.flatMap((extension): XmlElement[] => {
    if (listsIn(extension).length === 0) return [extension];
    const { mixed: _, ...own } = extension;
    const others = extension.children.filter((child) => !isList(child) && !isNamed(child, 'Verification'));
    return others.length === 0 ? [] : [{ ...own, children: others, text: '' }];
  });
  return { ...extensions, children };
}

const keyOf = ({ vendor = '', javaScriptResources, executableResources }: Verification): string =>
  [vendor, ...[...javaScriptResources, ...executableResources].map(({ url }) => url)].join(' ');

/** Adds the verifications from extensions that the ad does not have itself: servers send both, for old and new players. */
export function withOthers(own: readonly Verification[], others: readonly Verification[]): Verification[] {
  const known = new Set(own.map(keyOf));
  return [...own, ...others.filter((one) => !known.has(keyOf(one)))];
}
