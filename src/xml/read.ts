// SPDX-License-Identifier: Apache-2.0
// Reads XML into a tree of elements (element.ts). It checks well-formedness, namespaces and limits, and contains no
// vocabulary. Nothing is resolved: no DTD, and no entities except the five of XML 1.0 §4.6.
import { SaxesParser } from 'saxes';
import { finish, type Sliced } from '../time/sliced.ts';
import type { XmlElement, XmlFault, XmlFaultCode } from './element.ts';
import { MAX_ATTRIBUTES, TreeBuilder, type TreeLimits, XmlFaultError } from './element.ts';
import { readPlainXml } from './readPlainXml.ts';
import { repairTags, type TagRepairOptions } from './repairTags.ts';
import { repairXml, unclosedSection, type XmlSource } from './repairXml.ts';

export type XmlOptions = {
  /** Tolerates faults that leave the meaning clear, as ad servers make them; each is returned as a warning. */
  readonly lenient?: boolean;
  /** Tolerates prefixes without a namespace, and nothing else. */
  readonly allowUnbound?: boolean;
  /** In addition to `lenient`: repairs tags that do not match, so that less is lost. */
  readonly repairTags?: TagRepairOptions;
  /** The number of tolerated faults after which the next one is fatal: each costs as much as many elements. */
  readonly maxTolerated?: number;
  /** Characters. */
  readonly maxLength?: number;
  readonly maxDepth?: number;
  readonly maxElements?: number;
};

export type XmlDocument = { readonly root: XmlElement; readonly warnings: readonly XmlFault[] };

const MAX_XML_WARNINGS = 20;
/** The characters of one slice, which are parsed in a few milliseconds. */
const CHARACTERS_IN_SLICE = 32 * 1024;

/** A CDATA section without an end, which contains what follows it up to the end of the next one. */
const swallowing = /<!\[CDATA\[[^<\]]*<\/[^\]]*<!\[CDATA\[/;

/** Faults after which saxes continues with the intended meaning. */
const tolerable =
  /^(disallowed character\.|malformed character entity|attribute without value|unquoted attribute value|duplicate attribute|no whitespace between attributes|the string "]]>" is disallowed|malformed comment|value must be quoted|version number must|encoding value must|standalone value must|expected|XML declaration must contain|processing instructions are not allowed before root|inappropriately located doctype)/;

/** saxes looks names up along the prototype chain: with an ordinary object, `&constructor;` would be an entity. */
const entities: Record<string, string> = Object.assign(Object.create(null), {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  apos: "'",
});

/**
 * The document's tree, or its first fatal fault. Unbound prefixes, bare ampersands, white space or comments before the
 * declaration, and content after the root element are fatal unless `lenient`.
 */
export const readXml = (text: string, options: XmlOptions = {}): XmlDocument | XmlFault =>
  finish(readingXml(text, options));

export function* readingXml(text: string, options: XmlOptions = {}): Sliced<XmlDocument | XmlFault> {
  const { lenient = false, maxLength = 32 << 20, repairTags: tagRepair } = options;
  if (text.length > maxLength) {
    const reason = `the document has ${text.length} characters; the limit is ${maxLength}`;
    return { line: 1, code: 'TOO_LONG', reason };
  }
  const isSwallowed = tagRepair !== undefined && swallowing.test(text);
  const needsRepair = (read: ParsedXml | XmlFault): boolean =>
    isSwallowed || (tagRepair !== undefined && needsTagRepair(read, tagRepair));
  const plain = yield* readPlain(text, options);
  if (plain !== undefined && !needsRepair(plain)) return plain;
  const source = lenient ? yield* repairXml(text) : { text, line: 1, warnings: [] };
  const read = yield* tryParse(source, options);
  if (tagRepair === undefined || !needsRepair(read)) return read;
  const repaired = repairTags(source, tagRepair);
  const again = repaired === undefined ? read : yield* tryParse(repaired, options);
  if ('root' in again || !('root' in read)) return 'root' in again ? again : read;
  const { line, code, reason } = again;
  return { ...read, warnings: [...read.warnings, { line, code, reason: `the rest is not read: ${reason}` }] };
}

type ParsedXml = XmlDocument & {
  /** Whether there was a fault that repairTags may be able to repair. */
  readonly hasFaultyTags: boolean;
};

/** Faults of tags, as opposed to exceeded limits and constructs that are rejected on purpose. */
const tagFaults: ReadonlySet<XmlFaultCode> = new Set([
  'BREAKS_OFF',
  'CLOSE_TAG',
  'NO_ROOT',
  'SECOND_ROOT',
  'TEXT_OUTSIDE',
  'UNQUOTED_VALUE',
  'MALFORMED',
]);

function needsTagRepair(read: ParsedXml | XmlFault, { roots }: TagRepairOptions): boolean {
  if (!('root' in read)) return tagFaults.has(read.code);
  return read.hasFaultyTags || !roots.includes(read.root.local.toLowerCase());
}

function* tryParse(source: XmlSource, options: XmlOptions): Sliced<ParsedXml | XmlFault> {
  try {
    return yield* parse(source, options);
  } catch (error) {
    if (error instanceof XmlFaultError) return error.fault;
    throw error;
  }
}

const limitsOf = ({ lenient = false, allowUnbound, maxDepth = 64, maxElements = 400_000 }: XmlOptions): TreeLimits => ({
  maxDepth,
  maxElements,
  allowUnbound: lenient || allowUnbound === true,
});

function* readPlain(text: string, options: XmlOptions): Sliced<ParsedXml | undefined> {
  const root = yield* readPlainXml(text, limitsOf(options));
  return root && { root, warnings: [], hasFaultyTags: false };
}

const unclosedAtEnd = (text: string): string | undefined =>
  [text.lastIndexOf('<!--'), text.lastIndexOf('<![CDATA[')]
    .map((at) => at >= 0 && unclosedSection(text, at))
    .find(Boolean) || undefined;

function* parse(source: XmlSource, options: XmlOptions): Sliced<ParsedXml> {
  const { lenient = false, maxTolerated = Number.POSITIVE_INFINITY } = options;
  let tolerated = 0;
  let hasFaultyTags = false;
  const warnings: XmlFault[] = source.warnings.slice(0, MAX_XML_WARNINGS);
  const tree = new TreeBuilder(limitsOf(options));
  const parser = new SaxesParser({ position: true, xmlns: false });
  parser.ENTITIES = entities;
  const linesBefore = source.line - 1;
  let startLine = 1;
  const tolerate = (code: XmlFaultCode, reason: string, line: number): void => {
    tolerated += 1;
    if (!lenient || tolerated > maxTolerated) throw new XmlFaultError(code, reason, line);
    if (warnings.length < MAX_XML_WARNINGS) warnings.push({ line, code, reason });
  };

  let attributeCount = 0;
  parser.on('opentagstart', () => {
    startLine = parser.line + linesBefore;
    attributeCount = 0;
  });
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount <= MAX_ATTRIBUTES) return;
    const reason = `an element has more than ${MAX_ATTRIBUTES} attributes`;
    throw new XmlFaultError('TOO_MANY_ATTRIBUTES', reason, startLine);
  });
  parser.on('opentag', ({ name, attributes }) => tree.openElement(name, attributes, startLine));
  parser.on('text', (text) => tree.addText(text));
  parser.on('cdata', (text) => tree.addText(text));
  parser.on('closetag', () => tree.closeElement());
  parser.on('doctype', (doctype) => {
    const line = parser.line + linesBefore - (doctype.match(/\n/g)?.length ?? 0);
    if (doctype.includes('['))
      throw new XmlFaultError('INTERNAL_SUBSET', 'a DOCTYPE with an internal subset is not supported', line);
    if (/\b(SYSTEM|PUBLIC)\b/.test(doctype))
      tolerate('EXTERNAL_DTD', 'the external DTD of the DOCTYPE is not fetched', line);
  });
  parser.on('error', ({ message }) => {
    const fault = message.replace(/^\d+:\d+: /, '');
    const { code, reason } = saxesFault(fault);
    if (tagFaults.has(code) && code !== 'TEXT_OUTSIDE') hasFaultyTags = true;
    if (tree.root !== undefined && lenient) return;
    const line = parser.line + linesBefore;
    if (tolerable.test(fault)) tolerate(code, reason, line);
    else throw new XmlFaultError(code, (code === 'BREAKS_OFF' && unclosedAtEnd(source.text)) || reason, line);
  });
  for (let at = 0; at < source.text.length; at += CHARACTERS_IN_SLICE) {
    if (at > 0) yield;
    parser.write(source.text.slice(at, at + CHARACTERS_IN_SLICE));
  }
  parser.close();
  if (tree.root === undefined) {
    throw new XmlFaultError('NO_ROOT', 'the document contains no element', parser.line + linesBefore);
  }
  return { root: tree.root, warnings, hasFaultyTags };
}

type Reason = string | ((detail: string) => string);

/** saxes reports faults as sentences only. Each is mapped to a code and to wording for operators. */
const sentences: readonly (readonly [pattern: RegExp, code: XmlFaultCode, reason: Reason])[] = [
  [/^unclosed tag: (.*)/, 'BREAKS_OFF', (name) => `the document is truncated: element ${name} has no end tag`],
  [/^unexpected end/, 'BREAKS_OFF', 'the document is truncated inside a tag, a comment or a CDATA section'],
  [/^unexpected close tag/, 'CLOSE_TAG', 'an end tag does not match the open element'],
  [/^unmatched closing tag: (.*)/, 'CLOSE_TAG', (name) => `the end tag </${name}> has no start tag`],
  [/^document must contain a root/, 'NO_ROOT', 'the document contains no element'],
  [/^documents may contain only one root/, 'SECOND_ROOT', 'the document has a second root element'],
  [/^text data outside/, 'TEXT_OUTSIDE', 'there is text outside the root element'],
  [/^undefined entity/, 'UNKNOWN_ENTITY', 'an entity is not defined'],
  [/^unquoted attribute value/, 'UNQUOTED_VALUE', 'an attribute value is not quoted'],
  [/^duplicate attribute: (.*)/, 'DUPLICATE_ATTRIBUTE', (name) => `an element has the attribute ${name} twice`],
  [/^disallowed character\./, 'CHARACTER', 'the document contains a character that XML forbids'],
  [/^disallowed character in (tag|attribute) name/, 'MALFORMED', (what) => `the name of ${an(what)} is malformed`],
  [/^disallowed character in closing tag/, 'MALFORMED', 'an end tag is malformed'],
  [/^attribute without value/, 'MALFORMED', 'an attribute has no value'],
  [/^no whitespace between attributes/, 'MALFORMED', 'there is no space between two attributes'],
  [/^forward-slash in opening tag/, 'MALFORMED', 'a tag contains a "/" that is not followed by ">"'],
  [/^malformed character entity/, 'MALFORMED', 'a character reference is malformed'],
  [/^malformed comment/, 'MALFORMED', 'a comment is malformed'],
  [/^the string "]]>"/, 'MALFORMED', 'there is a "]]>" outside a CDATA section'],
  [
    /^(whitespace required|value (required|must)|version number|encoding value|standalone value|expected|XML declaration|an XML decl|the XML decl|did not expect|the character \?)/i,
    'MALFORMED',
    'an XML declaration is malformed or misplaced',
  ],
];

const an = (what: string): string => (what === 'attribute' ? 'an attribute' : `a ${what}`);

/** The code and the wording for an error message of saxes. */
function saxesFault(sentence: string): { readonly code: XmlFaultCode; readonly reason: string } {
  for (const [pattern, code, reason] of sentences) {
    const match = pattern.exec(sentence);
    if (match)
      return { code, reason: typeof reason === 'string' ? reason : reason((match[1] ?? '').replace(/\.$/, '')) };
  }
  return { code: 'MALFORMED', reason: sentence.replace(/\.$/, '') };
}
