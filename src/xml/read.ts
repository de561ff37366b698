// Reads XML that others wrote into a tree of elements (element.ts). It knows well-formedness, namespaces and limits; it
// refuses to know any vocabulary, and never resolves anything: no DTD, no entity but the five of XML 1.0 §4.6.
import { SaxesParser } from 'saxes';
import type { XmlElement, XmlFault, XmlFaultCode } from './element.ts';
import { repairTags, type TagRepairOptions } from './repairTags.ts';
import { repairXml, type XmlSource } from './repairXml.ts';
import { saxesFault } from './saxesFault.ts';
import { TreeBuilder, XmlFaultError } from './treeBuilder.ts';

export type XmlOptions = {
  /** Reads on over faults that leave the meaning clear, as ad servers make them; each is kept as an oddity. */
  readonly lenient?: boolean;
  /** Beside `lenient`: makes tags fit together that do not, so that less is lost. */
  readonly repairTags?: TagRepairOptions;
  /** Characters. */
  readonly maxLength?: number;
  readonly maxDepth?: number;
  readonly maxElements?: number;
};

export type XmlDocument = { readonly root: XmlElement; readonly warnings: readonly XmlFault[] };

const MOST_ODDITIES = 20;

/** Faults after which saxes goes on with what was meant. */
const tolerable =
  /^(disallowed character\.|malformed character entity|attribute without value|unquoted attribute value|duplicate attribute|no whitespace between attributes|the string "]]>" is disallowed|malformed comment|value must be quoted|version number must|encoding value must|standalone value must|expected|XML declaration must contain|processing instructions are not allowed before root|inappropriately located doctype)/;

/** saxes looks names up along the prototype chain: without this, `&constructor;` would be an entity. */
const entities: Record<string, string> = Object.assign(Object.create(null), {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  apos: "'",
});

/**
 * The document's tree, or the first fault that it can't be read for. Unbound prefixes, bare ampersands, white space and
 * comments before the declaration, and what follows the root element are faults unless `lenient`.
 */
export function readXml(text: string, options: XmlOptions = {}): XmlDocument | XmlFault {
  const { lenient = false, maxLength = 32 << 20, repairTags: mend } = options;
  if (text.length > maxLength) {
    const reason = `the document has ${text.length} characters, at most ${maxLength} are read`;
    return { line: 1, code: 'TOO_LONG', reason };
  }
  const source = lenient ? repairXml(text) : { text, line: 1, warnings: [] };
  const read = tryParse(source, options);
  if (mend === undefined || !needsMending(read, mend)) return read;
  const mended = repairTags(source, mend);
  const again = mended === undefined ? read : tryParse(mended, options);
  if ('root' in again || !('root' in read)) return 'root' in again ? again : read;
  const { line, code, reason } = again;
  return { ...read, warnings: [...read.warnings, { line, code, reason: `the rest is not read: ${reason}` }] };
}

type ParsedXml = XmlDocument & {
  /** Whether a tag was in the way that repairTags can do something about. */
  readonly hasOddTags: boolean;
};

/** Faults of the tags' own, as opposed to limits and what is refused on purpose. */
const mendable: ReadonlySet<XmlFaultCode> = new Set([
  'BREAKS_OFF',
  'CLOSE_TAG',
  'NO_ROOT',
  'SECOND_ROOT',
  'TEXT_OUTSIDE',
  'UNQUOTED_VALUE',
  'MALFORMED',
]);

function needsMending(read: ParsedXml | XmlFault, { roots }: TagRepairOptions): boolean {
  if (!('root' in read)) return mendable.has(read.code);
  return read.hasOddTags || !roots.includes(read.root.local.toLowerCase());
}

function tryParse(source: XmlSource, options: XmlOptions): ParsedXml | XmlFault {
  try {
    return parse(source, options);
  } catch (error) {
    if (error instanceof XmlFaultError) return error.fault;
    throw error;
  }
}

function parse(source: XmlSource, options: XmlOptions): ParsedXml {
  const { lenient = false, maxDepth = 64, maxElements = 400_000 } = options;
  let hasOddTags = false;
  const warnings: XmlFault[] = source.warnings.slice(0, MOST_ODDITIES);
  const tree = new TreeBuilder({ maxDepth, maxElements, allowUnbound: lenient });
  const parser = new SaxesParser({ position: true, xmlns: false });
  parser.ENTITIES = entities;
  const linesBefore = source.line - 1;
  let startLine = 1;
  const tolerate = (code: XmlFaultCode, reason: string, line: number): void => {
    if (!lenient) throw new XmlFaultError(code, reason, line);
    if (warnings.length < MOST_ODDITIES) warnings.push({ line, code, reason });
  };

  parser.on('opentagstart', () => {
    startLine = parser.line + linesBefore;
  });
  parser.on('opentag', ({ name, attributes }) => tree.openElement(name, attributes, startLine));
  parser.on('text', (text) => tree.addText(text));
  parser.on('cdata', (text) => tree.addText(text));
  parser.on('closetag', () => tree.closeElement());
  parser.on('doctype', (doctype) => {
    const line = parser.line + linesBefore - (doctype.match(/\n/g)?.length ?? 0);
    if (doctype.includes('['))
      throw new XmlFaultError('INTERNAL_SUBSET', 'a DOCTYPE with an internal subset is not read', line);
    if (/\b(SYSTEM|PUBLIC)\b/.test(doctype))
      tolerate('EXTERNAL_DTD', 'the DTD that the DOCTYPE names is not fetched', line);
  });
  parser.on('error', ({ message }) => {
    const fault = message.replace(/^\d+:\d+: /, '');
    const { code, reason } = saxesFault(fault);
    if (mendable.has(code) && code !== 'TEXT_OUTSIDE') hasOddTags = true;
    if (tree.root !== undefined && lenient) return;
    const line = parser.line + linesBefore;
    if (tolerable.test(fault)) tolerate(code, reason, line);
    else throw new XmlFaultError(code, reason, line);
  });
  parser.write(source.text).close();
  if (tree.root === undefined) {
    throw new XmlFaultError('NO_ROOT', 'the document holds no element', parser.line + linesBefore);
  }
  return { root: tree.root, warnings, hasOddTags };
}
