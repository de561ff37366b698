// SPDX-License-Identifier: Apache-2.0
// Reads VAST 1.0 to 4.4 leniently: a faulty element causes a warning and never loses the ad. It does not choose ads or
// follow wrappers.
import type { XmlElement } from '../../xml/element.ts';
import type { VastAd, VastResponse } from '../response.ts';
import type { VastWarning } from '../vastWarning.ts';
import type { VastReadFailure } from '../xml/adXml.ts';
import { isVast1Root, isVastRoot, readAdXml, warnInto } from '../xml/adXml.ts';
import {
  attribute,
  type Expected,
  escapedIn,
  escapedReason,
  isEscaped,
  shortened,
  visit,
  warnOfValue,
} from '../xml/elements.ts';
import { readAd } from './readAd.ts';
import { collect, urlIn } from './readSharedElements.ts';

/** More ads than any break holds. */
const MAX_ADS_READ = 500;
const VERSION: Expected = { code: 'UNKNOWN_VERSION', description: '1.0 to 4.4' };

/** @param base URL of the document after redirects, against which relative URLs are resolved */
export function readVast(input: Uint8Array | string, base?: string): VastResponse | VastReadFailure {
  const xml = readAdXml(input);
  return 'root' in xml ? readVastElement(xml.root, xml.warnings, base) : xml;
}

/** The same for a VAST element inside another document. @param warnings those of parsing the XML */
export function readVastElement(
  root: XmlElement,
  warnings: VastWarning[] = [],
  base?: string,
): VastResponse | VastReadFailure {
  const isRoot = isVastRoot(root);
  const escaped = isRoot ? (root.children.length === 0 && isEscaped(root) ? root : undefined) : escapedIn(root);
  if (escaped) return { line: escaped.line, fault: 'ESCAPED', reason: escapedReason(escaped), code: 101 };
  if (!isRoot) {
    const reason = `the root element must be VAST; got ${shortened(root.name)}`;
    return { line: root.line, fault: 'ROOT', reason, code: 101 };
  }
  const warn = warnInto(warnings, base);
  const version = attribute(root, 'version') ?? (isVast1Root(root) ? '1.0' : '');
  if (!/^[1-4](\.\d)?/.test(version)) warnOfValue(warn, root.line, 'VAST@version', VERSION, version);
  const ads: VastAd[] = [];
  const errorUrls: string[] = [];
  visit(root, warn, {
    Ad: (child) => {
      if (ads.length < MAX_ADS_READ) ads.push(readAd(child, warn));
      else warn(child.line, 'TOO_MANY_ADS', `VAST contains more than ${MAX_ADS_READ} ads; the rest are dropped`);
    },
    Error: collect(errorUrls, urlIn, warn),
    // Extensions of the document are meant for the ad server's own player.
    Extensions: () => {},
  });
  return { version, ads: withErrorUrls(ads, errorUrls), errorUrls, warnings };
}

/** The document's Error URLs are added to the first Ad without InLine and Wrapper, which has none of its own. */
function withErrorUrls(ads: readonly VastAd[], errorUrls: readonly string[]): VastAd[] {
  const first = ads.findIndex((ad) => ad.kind === 'inLine' && ad.holdsInstead !== undefined);
  return ads.map((ad, index) => (index === first ? { ...ad, errorUrls: [...ad.errorUrls, ...errorUrls] } : ad));
}
