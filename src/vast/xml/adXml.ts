// The XML of an ad server's answer, read as leniently as the field demands, whatever its root element is.
import { decodeXml } from '../../xml/decodeXml.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readXml } from '../../xml/read.ts';
import type { VastWarning } from '../response.ts';
import { detectNonXml } from './detectNonXml.ts';
import type { Warn } from './elements.ts';
import type { VastReadFailure } from './vastReadFailure.ts';

const limits = {
  lenient: true,
  maxLength: 4 << 20,
  maxDepth: 64,
  maxElements: 100_000,
  repairTags: { roots: ['vast', 'vmap', 'videoadservingtemplate'], whole: 'ad' },
} as const;
const MOST_WARNINGS = 100;

export type AdXml = { readonly root: XmlElement; readonly warnings: VastWarning[] };

/** @param input the bytes as they came, or their text */
export function readAdXml(input: Uint8Array | string): AdXml | VastReadFailure {
  const text = typeof input === 'string' ? input : decodeXml(input);
  const foreign = detectNonXml(text);
  if (foreign) return { line: foreign.fault === 'EMPTY' ? 1 : firstLine(text), ...foreign, code: 100 };
  const read = readXml(text, limits);
  if (!('root' in read)) return { line: read.line, fault: read.code, reason: read.reason, code: 100 };
  return { root: read.root, warnings: read.warnings.map(({ line, reason }) => ({ line, text: reason })) };
}

/** Where the text begins that is seen. */
const firstLine = (text: string): number => 1 + (/^\s*/.exec(text)![0].match(/\n/g)?.length ?? 0);

/** @param base the address of the document, after redirects */
export function warnInto(warnings: VastWarning[], base: string | undefined): Warn {
  const warn = (line: number, text: string): void => {
    if (warnings.length < MOST_WARNINGS) warnings.push({ line, text });
  };
  return base === undefined ? warn : Object.assign(warn, { base });
}
