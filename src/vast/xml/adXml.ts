// SPDX-License-Identifier: Apache-2.0
// Reads the XML of an ad response as leniently as ad servers require, whatever its root element is.
import { decodeXml } from '../../xml/decodeXml.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readXml, type XmlOptions } from '../../xml/read.ts';
import type { VastWarning } from '../vastWarning.ts';
import { detectNonXml } from './detectNonXml.ts';
import { documentRoots } from './documentRoots.ts';
import { elementContents } from './elementContents.ts';
import type { Warn } from './elements.ts';
import type { VastReadFailure } from './vastReadFailure.ts';

const options: XmlOptions = {
  lenient: true,
  maxLength: 4 << 20,
  maxDepth: 64,
  maxElements: 100_000,
  repairTags: { roots: documentRoots.map((name) => name.toLowerCase()), whole: 'ad', contents: elementContents },
};
const MAX_VAST_WARNINGS = 100;

export type AdXml = { readonly root: XmlElement; readonly warnings: VastWarning[] };

/** @param input the bytes as received, or their text */
export function readAdXml(input: Uint8Array | string): AdXml | VastReadFailure {
  const text = typeof input === 'string' ? input : decodeXml(input);
  const nonXml = detectNonXml(text);
  if (nonXml) return { line: nonXml.fault === 'EMPTY' ? 1 : firstVisibleLine(text), ...nonXml, code: 100 };
  const read = readXml(text, options);
  if (!('root' in read)) return { line: read.line, fault: read.code, reason: read.reason, code: 100 };
  return { root: read.root, warnings: read.warnings.map(({ line, code, reason }) => ({ line, code, text: reason })) };
}

const firstVisibleLine = (text: string): number => 1 + (/^\s*/.exec(text)![0].match(/\n/g)?.length ?? 0);

/** @param base URL of the document, after redirects */
export function warnInto(warnings: VastWarning[], base: string | undefined): Warn {
  const warn: Warn = (line, code, text) => {
    if (warnings.length < MAX_VAST_WARNINGS) warnings.push({ line, code, text });
  };
  return base === undefined ? warn : Object.assign(warn, { base });
}
