// Reads VAST 2.0 to 4.3 as ad servers write it: an odd element costs a warning, never the ad. It knows the document; it
// refuses to know which ad is shown, and follows no wrapper.
import { decodeXml } from '../xml/decodeXml.ts';
import type { XmlElement, XmlFault } from '../xml/element.ts';
import { readXml, type XmlDocument } from '../xml/read.ts';
import { attribute, isNamed, shortened, visit, type Warn } from './elements.ts';
import { readAd } from './readAd.ts';
import { collect, urlIn } from './readLeaves.ts';
import type { VastAd, VastRefusal, VastResponse, VastWarning } from './response.ts';

const limits = { lenient: true, maxLength: 4 << 20, maxDepth: 64, maxElements: 100_000 } as const;
const MOST_WARNINGS = 100;
/** No break holds as many. */
const MOST_ADS = 500;

/**
 * The answer of an ad server, or why it is none, with the line.
 * @param input the bytes as they came, or their text
 */
export function readVast(input: Uint8Array | string): VastResponse | VastRefusal {
  const text = typeof input === 'string' ? input : decodeXml(input);
  if (text.trim() === '') return { line: 1, fault: 'EMPTY', reason: 'the document is empty', code: 100 };
  const whole = readXml(text, limits);
  const xml = 'root' in whole ? whole : (readUntilCut(text, whole) ?? whole);
  if (!('root' in xml)) {
    const isPage = /^\s*<(!doctype\s+html|html[\s>])/i.test(text);
    if (isPage) return { line: xml.line, fault: 'WEB_PAGE', reason: 'the document is a web page', code: 100 };
    return { line: xml.line, fault: xml.code, reason: xml.reason, code: 100 };
  }
  const warnings: VastWarning[] = xml.oddities.map(({ line, reason }) => ({ line, text: reason }));
  return readVastElement(xml.root, warnings);
}

/** A document that breaks off: the ads that are whole were meant, whatever was to follow. */
function readUntilCut(text: string, { line, code, reason }: XmlFault): XmlDocument | undefined {
  const end = code === 'BREAKS_OFF' ? /^[\s\S]*<\/(?:[\w.-]+:)?Ad\s*>/i.exec(text)?.[0] : undefined;
  const root = /<((?:[\w.-]+:)?VAST)[\s>]/i.exec(text)?.[1];
  if (end === undefined || root === undefined) return undefined;
  const read = readXml(`${end}</${root}>`, limits);
  if (!('root' in read)) return undefined;
  const oddity = { line, code, reason: `the document breaks off (${reason}), and what is not whole is left out` };
  return { root: read.root, oddities: [...read.oddities, oddity] };
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
  const warn: Warn = (at, text) => {
    if (warnings.length < MOST_WARNINGS) warnings.push({ line: at, text });
  };
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
