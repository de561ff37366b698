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

/** Characters. copyXml repeats namespace names, so a long one would be a way to make much of little. */
const LONGEST_NAMESPACE = 300;

const noChildren: XmlElement[] = [];
const notBlank = /[^ \t\r\n]/;

/** Thrown out of the parser's handlers when a document can't be read on. */
export class XmlFaultError extends Error {
  readonly fault: XmlFault;
  constructor(code: XmlFaultCode, reason: string, line: number) {
    super(reason);
    this.fault = { line, code, reason };
  }
}

export type TreeLimits = { readonly maxDepth: number; readonly maxElements: number; readonly allowUnbound: boolean };

/** Grows the tree of one document from the events of a parser. */
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
      throw new XmlFaultError('TOO_DEEP', `element ${name} is nested deeper than ${maxDepth}`, line);
    const namespaces = bindings(this.#open.at(-1)?.namespaces ?? initialNamespaces, attributes, line);
    const prefix = prefixOf(name);
    const local = prefix === '' ? name : name.slice(prefix.length + 1);
    if (local === '' || local.includes(':'))
      throw new XmlFaultError('COLONS', `the name ${name} has a colon too many`, line);
    if (!allowUnbound) refuseUnbound(prefix, attributes, namespaces, line);
    const namespace = namespaces[prefix] || undefined;
    this.#open.push({ name, local, namespace, attributes, children: noChildren, text: '', line, namespaces });
  }

  /** White space beside child elements is layout, not text. */
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

/** Bindings are chained, not copied: a long list of them costs its own length once, however many elements follow. */
function bindings(outer: Readonly<Bindings>, attributes: Readonly<Bindings>, line: number): Readonly<Bindings> {
  let own: Bindings | undefined;
  for (const name in attributes) {
    const prefix = declaredPrefix(name);
    if (prefix === undefined) continue;
    const value = attributes[name]!.trim();
    if (value.length > LONGEST_NAMESPACE) {
      throw new XmlFaultError(
        'LONG_NAMESPACE',
        `a namespace name is longer than ${LONGEST_NAMESPACE} characters`,
        line,
      );
    }
    own ??= Object.create(outer) as Bindings;
    own[prefix] = value;
  }
  return own ?? outer;
}

function refuseUnbound(
  prefix: string,
  attributes: Readonly<Bindings>,
  namespaces: Readonly<Bindings>,
  line: number,
): void {
  const prefixes = [prefix, ...Object.keys(attributes).map(prefixOf)];
  const unbound = prefixes.find((one) => one !== '' && !namespaces[one]);
  if (unbound !== undefined)
    throw new XmlFaultError('UNBOUND_PREFIX', `nothing binds the namespace prefix "${unbound}"`, line);
}
