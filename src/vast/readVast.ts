// Reads VAST 2.0 to 4.3 as ad servers write it: an odd element costs a warning, never the ad. It knows the document; it
// refuses to know which ad is shown, and follows no wrapper.
import type { XmlElement } from '../xml/element.ts';
import { readAdXml, warnInto } from './adXml.ts';
import { attribute, isNamed, shortened, visit } from './elements.ts';
import { readAd } from './readAd.ts';
import { collect, urlIn } from './readLeaves.ts';
import type { VastAd, VastRefusal, VastResponse, VastWarning } from './response.ts';

/** No break holds as many. */
const MOST_ADS = 500;

/**
 * The answer of an ad server, or why it is none, with the line.
 * @param input the bytes as they came, or their text
 */
export function readVast(input: Uint8Array | string): VastResponse | VastRefusal {
  const xml = readAdXml(input);
  return 'root' in xml ? readVastElement(xml.root, xml.warnings) : xml;
}

/** The same for a VAST element within another document; `warnings` are those that reading it made already. */
export function readVastElement(root: XmlElement, warnings: VastWarning[] = []): VastResponse | VastRefusal {
  const { line } = root;
  if (isNamed(root, 'VideoAdServingTemplate')) {
    return { line, fault: 'VAST_1', reason: 'the document is VAST 1, and VAST 2.0 to 4.3 are read', code: 102 };
  }
  if (!isNamed(root, 'VAST')) {
    return { line, fault: 'ROOT', reason: `the root element must be VAST, got ${shortened(root.name)}`, code: 101 };
  }
  const warn = warnInto(warnings);
  const version = attribute(root, 'version') ?? '';
  if (!/^[2-4](\.\d)?/.test(version)) warn(line, `VAST@version must be 2.0 to 4.3, got "${shortened(version)}"`);
  const ads: VastAd[] = [];
  const errorUrls: string[] = [];
  visit(root, warn, {
    Ad: (child) => {
      if (ads.length < MOST_ADS) ads.push(readAd(child, warn));
      else warn(child.line, `VAST holds more than ${MOST_ADS} Ads, the others are not read`);
    },
    Error: collect(errorUrls, urlIn, warn),
    // Extensions of the whole document are for the ad server's own player.
    Extensions: () => {},
  });
  return { version, ads, errorUrls, warnings };
}
