// SPDX-License-Identifier: Apache-2.0
// Reads the XML that almost all documents consist of: elements, attributes, text, CDATA sections and comments without any fault.
// Several times faster than a parser that handles everything, which reads the other documents (read.ts).
import type { Sliced } from '../time/sliced.ts';
import { MAX_ATTRIBUTES, TreeBuilder, type TreeLimits, type XmlElement, XmlFaultError } from './element.ts';

/** XML 1.0 §2.2 excludes these; a carriage return would have to be normalized (§2.11). */
const EXCLUDED = /[^\P{Cc}\t\n]|[\p{Cs}\ufffe\uffff]/u;
const DECLARATION =
  /^<\?xml[ \n]+version=(?:"1\.0"|'1\.0')(?:[ \n]+encoding=(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?[ \n]*\?>/;
/** The characters of a name, whose first one is a letter or an underscore. */
const nameCodes = codesOf(/[\w.:-]/);
const firstNameCodes = codesOf(/[A-Za-z_]/);
const blankCodes = codesOf(/[ \t\n]/);
const ATTRIBUTE = /[ \t\n]+([A-Za-z_][\w.:-]*) ?= ?(?:"([^"<\t\n]*)"|'([^'<\t\n]*)')/y;
const BLANK = /^[ \t\n]*$/;
const REFERENCE = /&(amp|lt|gt|quot|apos);/g;
const OTHER_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos);)/;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const CDATA = '<![CDATA[';
const [SLASH, BANG, GREATER] = [0x2f, 0x21, 0x3e];

/** An object without names of Object.prototype that is faster to read than one without a prototype. */
const Attributes = function Attributes() {} as unknown as { new (): Record<string, string>; prototype: object };
Attributes.prototype = Object.create(null);
const noAttributes: Record<string, string> = Object.freeze(new Attributes());

/** Tags that are read in a few milliseconds, and characters that are searched in one. */
const ELEMENTS_IN_SLICE = 2000;
const TAG_CHARACTERS_IN_SLICE = 1 << 16;
const CHARACTERS_IN_SLICE = 1 << 20;

/** Thrown at anything that is not read here. */
class NotPlain extends Error {}

/** Marks the ASCII codes that the pattern matches. A lookup is faster than a pattern, which returns an array. */
function codesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** @returns where the characters that have these codes end */
function endOf(codes: Uint8Array, text: string, from: number): number {
  let at = from;
  while (codes[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

function matchAttribute(text: string, at: number): RegExpExecArray | null {
  ATTRIBUTE.lastIndex = at;
  return ATTRIBUTE.exec(text);
}

/** @throws NotPlain at a reference to anything but the entities of XML */
function decoded(text: string): string {
  if (!text.includes('&')) return text;
  // All references are found before the first one is replaced.
  if (OTHER_REFERENCE.test(text)) throw new NotPlain();
  return text.replace(REFERENCE, (written, name: string) => entities[name] ?? written);
}

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
  *read(): Sliced<XmlElement> {
    this.#at = this.#text.startsWith('<?xml') ? (DECLARATION.exec(this.#text)?.[0].length ?? 0) : 0;
    let [count, from] = [0, 0];
    for (let tag = this.#text.indexOf('<', this.#at); tag >= 0; tag = this.#text.indexOf('<', this.#at)) {
      count += 1;
      if (count > ELEMENTS_IN_SLICE || tag - from > TAG_CHARACTERS_IN_SLICE) {
        [count, from] = [0, tag];
        yield;
      }
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
    const name = this.#open.pop();
    if (name === undefined || !this.#text.startsWith(name, tag + 2)) throw new NotPlain();
    const end = tag + 2 + name.length;
    if (this.#text.charCodeAt(end) !== GREATER) throw new NotPlain();
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
    const text = this.#text;
    if (firstNameCodes[text.charCodeAt(tag + 1)] !== 1) throw new NotPlain();
    if (this.#open.length === 0 && this.#tree.root !== undefined) throw new NotPlain();
    let at = endOf(nameCodes, text, tag + 1);
    const name = text.slice(tag + 1, at);
    // The line of the character after the name.
    const line = this.#lineBefore(at + 1);
    let attributes = noAttributes;
    let count = 0;
    while (blankCodes[text.charCodeAt(at)] === 1) {
      const found = matchAttribute(text, at);
      if (found === null) break;
      const [whole, attribute = '', double, single = ''] = found;
      count += 1;
      if (attribute in attributes || count > MAX_ATTRIBUTES) throw new NotPlain();
      if (attributes === noAttributes) attributes = new Attributes();
      attributes[attribute] = decoded(double ?? single);
      at += whole.length;
    }
    at = endOf(blankCodes, text, at);
    const isEmpty = text.charCodeAt(at) === SLASH;
    if (isEmpty) at += 1;
    if (text.charCodeAt(at) !== GREATER) throw new NotPlain();
    this.#at = at + 1;
    this.#tree.openElement(name, attributes, line);
    if (isEmpty) this.#tree.closeElement();
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
export function* readPlainXml(text: string, limits: TreeLimits): Sliced<XmlElement | undefined> {
  for (let at = 0; at < text.length; at += CHARACTERS_IN_SLICE) {
    if (at > 0) yield;
    if (EXCLUDED.test(text.slice(at, at + CHARACTERS_IN_SLICE))) return undefined;
  }
  try {
    return yield* new PlainReader(text, limits).read();
  } catch (error) {
    if (error instanceof NotPlain || error instanceof XmlFaultError) return undefined;
    throw error;
  }
}
