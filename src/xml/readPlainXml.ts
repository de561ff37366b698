// SPDX-License-Identifier: Apache-2.0
// Reads the XML that almost all documents consist of: elements, attributes, text, CDATA sections and comments without any fault.
// Several times faster than a parser that handles everything, which reads the other documents (read.ts).
import type { XmlElement } from './element.ts';
import { TreeBuilder, type TreeLimits, XmlFaultError } from './treeBuilder.ts';

/** XML 1.0 §2.2 excludes these; a carriage return would have to be normalized (§2.11). */
const EXCLUDED = /[^\P{Cc}\t\n]|[\p{Cs}\ufffe\uffff]/u;
const DECLARATION =
  /^<\?xml[ \n]+version=(?:"1\.0"|'1\.0')(?:[ \n]+encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?[ \n]*\?>/;
const NAME = /[A-Za-z_][\w.:-]*/y;
const ATTRIBUTE = /[ \t\n]+([A-Za-z_][\w.:-]*) ?= ?(?:"([^"<\t\n]*)"|'([^'<\t\n]*)')/y;
const TAG_END = /[ \t\n]*(\/?)>/y;
const BLANK = /^[ \t\n]*$/;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos);)?/g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const CDATA = '<![CDATA[';
const [SLASH, BANG] = [0x2f, 0x21];

/** Without names of Object.prototype, and faster to read than an object without a prototype. */
const Attributes = function Attributes() {} as unknown as { new (): Record<string, string>; prototype: object };
Attributes.prototype = Object.create(null);
const noAttributes: Record<string, string> = Object.freeze(new Attributes());

/** Thrown at anything that is not read here. */
class NotPlain extends Error {}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** @throws NotPlain at a reference to anything but the entities of XML */
const decoded = (text: string): string =>
  text.includes('&')
    ? text.replace(REFERENCE, (_, name: string | undefined) => {
        if (name === undefined) throw new NotPlain();
        return entities[name]!;
      })
    : text;

class PlainReader {
  readonly #text: string;
  readonly #tree: TreeBuilder;
  readonly #open: string[] = [];
  #at = 0;
  #line = 1;
  #nextBreak: number;

  constructor(text: string, limits: TreeLimits) {
    this.#text = text;
    this.#tree = new TreeBuilder(limits);
    this.#nextBreak = text.indexOf('\n');
  }

  /** @throws NotPlain; XmlFaultError at a limit */
  read(): XmlElement {
    this.#at = this.#text.startsWith('<?xml') ? (DECLARATION.exec(this.#text)?.[0].length ?? 0) : 0;
    for (let tag = this.#text.indexOf('<', this.#at); tag >= 0; tag = this.#text.indexOf('<', this.#at)) {
      this.#readText(tag);
      const code = this.#text.charCodeAt(tag + 1);
      if (code === SLASH) this.#close(tag);
      else if (code === BANG) this.#readBang(tag);
      else this.#openElement(tag);
    }
    this.#readText(this.#text.length);
    if (this.#tree.root === undefined || this.#open.length > 0) throw new NotPlain();
    return this.#tree.root;
  }

  #readText(end: number): void {
    if (end === this.#at) return;
    const written = this.#text.slice(this.#at, end);
    if (this.#open.length > 0) {
      if (written.includes(']]>')) throw new NotPlain();
      this.#tree.addText(decoded(written));
    } else if (!BLANK.test(written)) throw new NotPlain();
  }

  #find(text: string, from: number): number {
    const at = this.#text.indexOf(text, from);
    if (at < 0) throw new NotPlain();
    return at;
  }

  #close(tag: number): void {
    const end = this.#find('>', tag);
    if (this.#text.slice(tag + 2, end) !== this.#open.pop()) throw new NotPlain();
    this.#tree.closeElement();
    this.#at = end + 1;
  }

  #readBang(tag: number): void {
    if (this.#text.startsWith(CDATA, tag) && this.#open.length > 0) {
      const end = this.#find(']]>', tag + CDATA.length);
      this.#tree.addText(this.#text.slice(tag + CDATA.length, end));
      this.#at = end + 3;
      return;
    }
    if (!this.#text.startsWith('<!--', tag)) throw new NotPlain();
    const end = this.#find('-->', tag + 4);
    if (this.#text.indexOf('--', tag + 4) < end) throw new NotPlain();
    this.#at = end + 3;
  }

  #openElement(tag: number): void {
    const name = match(NAME, this.#text, tag + 1)?.[0];
    if (name === undefined || (this.#open.length === 0 && this.#tree.root !== undefined)) throw new NotPlain();
    let at = tag + 1 + name.length;
    // The line of the character after the name.
    const line = this.#lineBefore(at + 1);
    let attributes = noAttributes;
    for (let found = match(ATTRIBUTE, this.#text, at); found !== null; found = match(ATTRIBUTE, this.#text, at)) {
      const [whole, attribute = '', double, single = ''] = found;
      if (attribute in attributes) throw new NotPlain();
      if (attributes === noAttributes) attributes = new Attributes();
      attributes[attribute] = decoded(double ?? single);
      at += whole.length;
    }
    const end = match(TAG_END, this.#text, at);
    if (end === null) throw new NotPlain();
    this.#at = at + end[0].length;
    this.#tree.openElement(name, attributes, line);
    if (end[1] === '/') this.#tree.closeElement();
    else this.#open.push(name);
  }

  #lineBefore(end: number): number {
    while (this.#nextBreak >= 0 && this.#nextBreak < end) {
      this.#line += 1;
      this.#nextBreak = this.#text.indexOf('\n', this.#nextBreak + 1);
    }
    return this.#line;
  }
}

/** @returns the root of the document; undefined if it has to be read by a parser that handles everything */
export function readPlainXml(text: string, limits: TreeLimits): XmlElement | undefined {
  if (EXCLUDED.test(text)) return undefined;
  try {
    return new PlainReader(text, limits).read();
  } catch (error) {
    if (error instanceof NotPlain || error instanceof XmlFaultError) return undefined;
    throw error;
  }
}
