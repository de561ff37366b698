// SPDX-License-Identifier: Apache-2.0
// The tree that read.ts returns. It keeps the content of a document, not its layout.

export type XmlElement = {
  /** As written, with its prefix. */
  readonly name: string;
  readonly local: string;
  /** Undefined when the prefix is unbound, or when there is no default namespace. */
  readonly namespace: string | undefined;
  /** By name as written. The object has no prototype, so names such as `constructor` are not special. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own character data, without that of its children. White space between children is dropped. */
  readonly text: string;
  /** Line of the start tag, counted from 1. */
  readonly line: number;
  /** The namespace bindings in scope: prefix (empty for the default) to URI. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Text and children in document order; present only when the element contains both. */
  readonly mixed?: readonly (string | XmlElement)[];
};

export type XmlFaultCode =
  | 'TOO_LONG'
  | 'TOO_DEEP'
  | 'TOO_MANY_ELEMENTS'
  | 'TOO_MANY_ATTRIBUTES'
  | 'LONG_NAMESPACE'
  | 'UNBOUND_PREFIX'
  | 'COLONS'
  | 'INTERNAL_SUBSET'
  | 'EXTERNAL_DTD'
  | 'BEFORE_DECLARATION'
  | 'BARE_AMPERSAND'
  | 'BREAKS_OFF'
  | 'CLOSE_TAG'
  | 'UNCLOSED'
  | 'NO_ROOT'
  | 'SECOND_ROOT'
  | 'TEXT_OUTSIDE'
  | 'UNKNOWN_ENTITY'
  | 'UNQUOTED_VALUE'
  | 'QUOTES'
  | 'BARE_LESS_THAN'
  | 'DUPLICATE_ATTRIBUTE'
  | 'CHARACTER'
  | 'MALFORMED';

/** A fault in a document, with its line, counted from 1. */
export type XmlFault = { readonly line: number; readonly code: XmlFaultCode; readonly reason: string };

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** The bindings of every document (Namespaces in XML 1.0 §3). */
const initialNamespaces: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  xml: xmlNamespace,
  xmlns: xmlnsNamespace,
});

export const prefixOf = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
};

/** The prefix that an attribute binds: empty for the default namespace, undefined for an ordinary attribute. */
export const declaredPrefix = (attribute: string): string | undefined => {
  if (attribute === 'xmlns') return '';
  return attribute.startsWith('xmlns:') ? attribute.slice(6) : undefined;
};

type Growing = { -readonly [key in keyof XmlElement]: XmlElement[key] } & {
  children: XmlElement[];
  mixed?: (string | XmlElement)[];
};

type Bindings = Record<string, string>;

/** Characters. copyXml repeats namespace names, so a long name would amplify a small document. */
const MAX_NAMESPACE_LENGTH = 300;
/** Of one element, which is read in one slice. */
export const MAX_ATTRIBUTES = 1000;

const noChildren: XmlElement[] = [];
const notBlank = /[^ \t\r\n]/;

/** Thrown by the parser's handlers for a fatal fault. */
export class XmlFaultError extends Error {
  readonly fault: XmlFault;
  constructor(code: XmlFaultCode, reason: string, line: number) {
    super(reason);
    this.fault = { line, code, reason };
  }
}

export type TreeLimits = { readonly maxDepth: number; readonly maxElements: number; readonly allowUnbound: boolean };

/** Builds the tree of one document from the events of a parser. */
export class TreeBuilder {
  root: XmlElement | undefined;
  readonly #limits: TreeLimits;
  readonly #open: Growing[] = [];
  #count = 0;

  constructor(limits: TreeLimits) {
    this.#limits = limits;
  }

  /** @throws XmlFaultError */
  openElement(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    if (this.root !== undefined) return;
    const { maxDepth, maxElements, allowUnbound } = this.#limits;
    this.#count += 1;
    if (this.#count > maxElements)
      throw new XmlFaultError('TOO_MANY_ELEMENTS', `the document has more than ${maxElements} elements`, line);
    if (this.#open.length >= maxDepth)
      throw new XmlFaultError('TOO_DEEP', `element ${name} is nested more than ${maxDepth} levels deep`, line);
    const namespaces = bindings(this.#open.at(-1)?.namespaces ?? initialNamespaces, attributes, line);
    const prefix = prefixOf(name);
    const local = prefix === '' ? name : name.slice(prefix.length + 1);
    if (local === '' || local.includes(':'))
      throw new XmlFaultError('COLONS', `the name ${name} has more than one colon`, line);
    if (!allowUnbound) rejectUnbound(prefix, attributes, namespaces, line);
    const namespace = namespaces[prefix] || undefined;
    this.#open.push({ name, local, namespace, attributes, children: noChildren, text: '', line, namespaces });
  }

  /** White space between child elements is layout, not text. */
  addText(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    if (element.children !== noChildren) {
      if (!notBlank.test(text)) return;
      element.mixed ??= [...element.children];
      element.mixed.push(text);
    }
    element.text += text;
  }

  closeElement(): void {
    const closed = this.#open.pop();
    if (closed === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) this.root = closed;
    else addChild(parent, closed);
  }
}

function addChild(parent: Growing, child: XmlElement): void {
  if (parent.children === noChildren) {
    parent.children = [];
    if (notBlank.test(parent.text)) parent.mixed = [parent.text];
    else parent.text = '';
  }
  parent.children.push(child);
  parent.mixed?.push(child);
}

/** Bindings are chained by prototype, not copied: a long list of them costs its length only once. */
function bindings(outer: Readonly<Bindings>, attributes: Readonly<Bindings>, line: number): Readonly<Bindings> {
  let own: Bindings | undefined;
  for (const name in attributes) {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) continue;
    const value = attributes[name]?.trim() ?? '';
    if (value.length > MAX_NAMESPACE_LENGTH) {
      const reason = `a namespace name is longer than ${MAX_NAMESPACE_LENGTH} characters`;
      throw new XmlFaultError('LONG_NAMESPACE', reason, line);
    }
    own ??= Object.create(outer) as Bindings;
    own[prefix] = value;
  }
  return own ?? outer;
}

function rejectUnbound(
  prefix: string,
  attributes: Readonly<Bindings>,
  namespaces: Readonly<Bindings>,
  line: number,
): void {
  const prefixes = [prefix, ...Object.keys(attributes).map(prefixOf)];
  const unbound = prefixes.find((one) => one !== '' && !namespaces[one]);
  if (unbound !== undefined)
    throw new XmlFaultError('UNBOUND_PREFIX', `the namespace prefix "${unbound}" is not bound`, line);
}
