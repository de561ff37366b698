// SPDX-License-Identifier: Apache-2.0
import {
  declaredPrefix,
  initialNamespaces,
  prefixOf,
  type XmlElement,
  type XmlFault,
  type XmlFaultCode,
} from './element.ts';

type Growing = { -readonly [key in keyof XmlElement]: XmlElement[key] } & {
  children: XmlElement[];
  mixed?: (string | XmlElement)[];
};

type Bindings = Record<string, string>;

/** Characters. copyXml repeats namespace names, so a long name would amplify a small document. */
const MAX_NAMESPACE_LENGTH = 300;

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

  /** @throws XmlStop */
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
