// Reads XML that others wrote into a tree of elements (element.ts). It knows well-formedness, namespaces and limits; it
// refuses to know any vocabulary, and never resolves anything: no DTD, no entity but the five of XML 1.0 §4.6.
import { SaxesParser } from 'saxes';
import { declaredPrefix, initialNamespaces, prefixOf, type XmlElement, type XmlFault } from './element.ts';
import { repairXml } from './repairXml.ts';

export type XmlOptions = {
  /** Reads on over faults that leave the meaning clear, as ad servers make them; each is kept as an oddity. */
  readonly lenient?: boolean;
  /** Characters. */
  readonly maxLength?: number;
  readonly maxDepth?: number;
  readonly maxElements?: number;
};

export type XmlDocument = { readonly root: XmlElement; readonly oddities: readonly XmlFault[] };

const MOST_ODDITIES = 20;
/** Characters. copyXml repeats namespace names, so a long one would be a way to make much of little. */
const LONGEST_NAMESPACE = 300;

/** Faults after which saxes goes on with what was meant. */
const tolerable =
  /^(disallowed character\.|malformed character entity|attribute without value|unquoted attribute value|duplicate attribute|no whitespace between attributes|the string "]]>" is disallowed|malformed comment|value must be quoted|version number must|encoding value must|standalone value must|expected|XML declaration must contain|processing instructions are not allowed before root|inappropriately located doctype)/;

/** Thrown out of the parser's handlers and caught in readXml. */
class Stop extends Error {
  readonly fault: XmlFault;
  constructor(fault: XmlFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

type Growing = { -readonly [key in keyof XmlElement]: XmlElement[key] } & {
  children: XmlElement[];
  content: (string | XmlElement)[];
};

const isBlank = (piece: string | XmlElement): boolean => typeof piece === 'string' && /^[ \t\r\n]*$/.test(piece);
const noChildren: XmlElement[] = [];
const noContent: (string | XmlElement)[] = [];

/**
 * The document's tree, or the first fault that it can't be read for. Unbound prefixes, bare ampersands, white space and
 * comments before the declaration, and what follows the root element are faults unless `lenient`.
 */
export function readXml(text: string, options: XmlOptions = {}): XmlDocument | XmlFault {
  const { lenient = false, maxLength = 32 << 20 } = options;
  if (text.length > maxLength) {
    return { line: 1, reason: `the document has ${text.length} characters, at most ${maxLength} are read` };
  }
  try {
    return lenient ? parse(repairXml(text), options) : parse({ text, line: 1, oddities: [] }, options);
  } catch (error) {
    if (error instanceof Stop) return error.fault;
    throw error;
  }
}

type Source = { readonly text: string; readonly line: number; readonly oddities: readonly XmlFault[] };

function parse(source: Source, options: XmlOptions): XmlDocument {
  const { lenient = false, maxDepth = 64, maxElements = 400_000 } = options;
  const oddities: XmlFault[] = source.oddities.slice(0, MOST_ODDITIES);
  const open: Growing[] = [];
  let root: XmlElement | undefined;
  let count = 0;

  const parser = new SaxesParser({ position: true });
  // saxes looks names up along the prototype chain: `&constructor;` would be an entity.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', gt: '>', lt: '<', quot: '"', apos: "'" });
  const line = (): number => parser.line + source.line - 1;
  const stop = (reason: string, at = line()): never => {
    throw new Stop({ line: at, reason });
  };
  const tolerate = (reason: string, at = line()): void => {
    if (!lenient) stop(reason, at);
    if (oddities.length < MOST_ODDITIES) oddities.push({ line: at, reason });
  };

  function append(text: string): void {
    open.at(-1)?.content.push(text);
  }

  let startLine = 1;
  let declared: Record<string, string> | undefined;
  parser.on('opentagstart', () => {
    startLine = line();
    declared = undefined;
  });
  parser.on('attribute', ({ name, value }) => {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) return;
    if (value.length > LONGEST_NAMESPACE) stop(`a namespace name is longer than ${LONGEST_NAMESPACE} characters`);
    declared ??= Object.create(null) as Record<string, string>;
    declared[prefix] = value.trim();
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (root !== undefined) return;
    count += 1;
    if (count > maxElements) stop(`the document has more than ${maxElements} elements`);
    if (open.length >= maxDepth) stop(`element ${name} is nested deeper than ${maxDepth}`);
    // Bindings are chained, not copied: a long list of them costs its own length once, however many elements follow.
    const outer = open.at(-1)?.namespaces ?? initialNamespaces;
    const namespaces = declared === undefined ? outer : Object.assign(Object.create(outer), declared);
    const prefix = prefixOf(name);
    if (!/^[^:]+(:[^:]+)?$/.test(name)) stop(`the name ${name} has a colon too many`, startLine);
    const isUnbound = (one: string): boolean => one !== '' && !namespaces[one];
    const unbound = [prefix, ...Object.keys(attributes).map(prefixOf)].find(isUnbound);
    if (unbound !== undefined && !lenient) stop(`nothing binds the namespace prefix "${unbound}"`, startLine);
    const started: Growing = {
      name,
      local: prefix === '' ? name : name.slice(prefix.length + 1),
      namespace: namespaces[prefix] || undefined,
      attributes: Object.assign(Object.create(null), attributes),
      children: noChildren,
      text: '',
      line: startLine,
      namespaces,
      content: [],
    };
    open.push(started);
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    const closed = open.pop();
    if (closed === undefined) return;
    finish(closed);
    const parent = open.at(-1);
    if (parent === undefined) root = closed;
    else {
      if (parent.children === noChildren) parent.children = [];
      parent.children.push(closed);
      parent.content.push(closed);
    }
  });
  parser.on('doctype', (doctype) => {
    const at = line() - (doctype.match(/\n/g)?.length ?? 0);
    const subset = doctype.includes('[');
    if (subset) stop('a DOCTYPE with an internal subset is not read', at);
    if (/\b(SYSTEM|PUBLIC)\b/.test(doctype)) tolerate('the DTD that the DOCTYPE names is not fetched', at);
  });
  parser.on('error', (error) => {
    const reason = error.message.replace(/^\d+:\d+: /, '');
    if (root !== undefined && lenient) return;
    if (tolerable.test(reason)) tolerate(reason.replace(/\.$/, ''));
    else stop(reason.replace(/\.$/, ''));
  });
  parser.write(source.text).close();
  return root === undefined ? stop('document must contain a root element') : { root, oddities };
}

function finish(element: Growing): void {
  const { content, children } = element;
  const said = children.length === 0 ? content : content.filter((piece) => !isBlank(piece));
  if (children.length > 0 && said.length > children.length) element.mixed = said;
  element.text = said.filter((piece) => typeof piece === 'string').join('');
  element.content = noContent;
}
