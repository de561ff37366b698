// Reads VAST 1.0 to 4.3 as ad servers write it: an odd element costs a warning, never the ad. It knows the document; it
// refuses to know which ad is shown, and follows no wrapper.
import type { XmlElement } from '../../xml/element.ts';
import type { VastAd, VastResponse, VastWarning } from '../response.ts';
import { readAdXml, warnInto } from '../xml/adXml.ts';
import { attribute, isNamed, shortened, visit } from '../xml/elements.ts';
import { escapedIn, escapedReason, isEscaped } from '../xml/escapedXml.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { readAd } from './readAd.ts';
import { collect, urlIn } from './readSharedElements.ts';

/** No break holds as many. */
const MAX_ADS_READ = 500;

/**
 * The answer of an ad server, or why it is none, with the line.
 * @param input the bytes as they came, or their text
 * @param base the address of the document after redirects, which relative URLs are resolved against
 */
export function readVast(input: Uint8Array | string, base?: string): VastResponse | VastReadFailure {
  const xml = readAdXml(input);
  return 'root' in xml ? readVastElement(xml.root, xml.warnings, base) : xml;
}

/** The same for a VAST element within another document; `warnings` are those that reading it made already. */
export function readVastElement(
  root: XmlElement,
  warnings: VastWarning[] = [],
  base?: string,
): VastResponse | VastReadFailure {
  const { line } = root;
  const isVast1 = isNamed(root, 'VideoAdServingTemplate');
  if (!isVast1 && !isNamed(root, 'VAST')) {
    const escaped = escapedIn(root);
    if (escaped) return { line: escaped.line, fault: 'ESCAPED', reason: escapedReason(escaped), code: 101 };
    return { line, fault: 'ROOT', reason: `the root element must be VAST, got ${shortened(root.name)}`, code: 101 };
  }
  const warn = warnInto(warnings, base);
  const version = attribute(root, 'version') ?? (isVast1 ? '1.0' : '');
  if (!/^[1-4](\.\d)?/.test(version)) warn(line, `VAST@version must be 1.0 to 4.3, got "${shortened(version)}"`);
  if (root.children.length === 0 && isEscaped(root)) {
    return { line, fault: 'ESCAPED', reason: escapedReason(root), code: 101 };
  }
  const ads: VastAd[] = [];
  const errorUrls: string[] = [];
  visit(root, warn, {
    Ad: (child) => {
      if (ads.length < MAX_ADS_READ) ads.push(readAd(child, warn));
      else warn(child.line, `VAST holds more than ${MAX_ADS_READ} Ads, the others are not read`);
    },
    Error: collect(errorUrls, urlIn, warn),
    // Extensions of the whole document are for the ad server's own player.
    Extensions: () => {},
  });
  return { version, ads: withErrorUrls(ads, errorUrls), errorUrls, warnings };
}

/** An Ad that holds neither InLine nor Wrapper has no Error URLs of its own: those of the document stand in, once. */
function withErrorUrls(ads: readonly VastAd[], errorUrls: readonly string[]): VastAd[] {
  const first = ads.findIndex((ad) => ad.kind === 'inLine' && ad.holdsInstead !== undefined);
  return ads.map((ad, index) => (index === first ? { ...ad, errorUrls: [...ad.errorUrls, ...errorUrls] } : ad));
}
