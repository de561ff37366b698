// SPDX-License-Identifier: Apache-2.0
import { declaredPrefix, prefixOf, type XmlElement } from './element.ts';

// Writes XML 1.0 as text, for MPD, VAST and RSS. It handles escaping and characters that XML forbids, and contains no
// vocabulary.

export type AttributeValue = string | number | boolean | undefined;

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * A character that is not a Char of XML 1.0 (§2.2), such as a lone surrogate. Not even a character reference may
 * represent it.
 */
const unwritable = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const specialInText = /[&<>\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const specialInAttribute = /[&<>"\t\n\r]|[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

// CR in text, and all white space in attributes, would be normalised by the reader (§2.11, §3.3.3).
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const reference = (character: string): string => references[character] ?? '\uFFFD';

/** Text as element content. Characters that XML forbids become U+FFFD. */
export const escapeText = (text: string): string => text.replace(specialInText, reference);

/** Text between double quotes. Characters that XML forbids become U+FFFD. */
export const escapeAttribute = (text: string): string => text.replace(specialInAttribute, reference);

/** Text as a CDATA section, as VAST customarily writes URLs. A text with CR is escaped instead, so that it is preserved. */
export const cdata = (text: string): string =>
  text.includes('\r')
    ? escapeText(text)
    : `<![CDATA[${text.replace(unwritable, '\uFFFD').replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

function attributeValue(name: string, value: string | number | boolean): string {
  if (typeof value === 'string') return escapeAttribute(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error(`Attribute ${name} must be a finite number; got ${value}.`);
  }
  return String(value);
}

function startTag(name: string, attributes: Readonly<Record<string, AttributeValue>>): string {
  let tag = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) tag += ` ${key}="${attributeValue(key, value)}"`;
  }
  return tag;
}

/**
 * An element as text: `element('Label', {lang: 'sv'}, escapeText('Svenska'))`. Undefined attributes are omitted. Children
 * are markup (`element`, `escapeText`, `cdata`): empty ones are omitted, and child elements are put on separate lines.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  ...children: readonly string[]
): string {
  const inner = children.filter((child) => child !== '');
  if (inner.length === 0) return `${startTag(name, attributes)}/>`;
  const holdsElements = inner.every((child) => child.startsWith('<') && !child.startsWith('<!['));
  const content = holdsElements ? `\n${inner.join('\n')}\n` : inner.join('');
  return `${startTag(name, attributes)}>${content}</${name}>`;
}

/** An element with exactly this content. No white space is added, because in mixed content it would be text. */
export const inlineElement = (
  name: string,
  attributes: Readonly<Record<string, AttributeValue>>,
  content: string,
): string =>
  content === '' ? `${startTag(name, attributes)}/>` : `${startTag(name, attributes)}>${content}</${name}>`;

// Writes an element that was read into another document. Extensions and protection descriptors of third parties are passed
// on without being interpreted.

/**
 * The element as self-contained text: it declares the namespaces that were bound outside of it, except those that `known`
 * binds to the same URI in the target document. An unbound prefix is bound to a made-up URI, because a namespace-aware
 * reader would otherwise reject the whole document.
 */
export function copyXml(source: XmlElement, known: Readonly<Record<string, string>> = {}): string {
  const needed: Record<string, string> = {};
  for (const prefix of outerPrefixes(source)) {
    if (prefix === 'xml' || prefix === 'xmlns') continue;
    const uri = source.namespaces[prefix] || (prefix && `urn:unbound:${prefix}`);
    if (uri && known[prefix] !== uri) needed[prefix === '' ? 'xmlns' : `xmlns:${prefix}`] = uri;
  }
  return write(source, needed);
}

/** The content of an element, with each child self-contained. */
export const copyContent = (source: XmlElement, known: Readonly<Record<string, string>> = {}): string =>
  contentOf(source)
    .map((piece) => (typeof piece === 'string' ? escapeText(piece) : copyXml(piece, known)))
    .join('');

const contentOf = ({ mixed, children, text }: XmlElement): readonly (string | XmlElement)[] =>
  mixed ?? (children.length > 0 ? children : [text]);

function write(source: XmlElement, more: Readonly<Record<string, string>>): string {
  const attributes = { ...source.attributes, ...more };
  const written = contentOf(source).map((piece) => (typeof piece === 'string' ? escapeText(piece) : write(piece, {})));
  return source.mixed
    ? inlineElement(source.name, attributes, written.join(''))
    : element(source.name, attributes, ...written);
}

/** Prefixes that the element or its descendants use but do not bind. */
function outerPrefixes(
  source: XmlElement,
  bound: ReadonlySet<string> = new Set(),
  found = new Set<string>(),
): Set<string> {
  const names = Object.keys(source.attributes);
  const declared = names.map(declaredPrefix).filter((prefix) => prefix !== undefined);
  const within = declared.length === 0 ? bound : new Set([...bound, ...declared]);
  const prefixed = names.filter((name) => name.includes(':') && declaredPrefix(name) === undefined);
  for (const prefix of [source.name, ...prefixed].map(prefixOf)) if (!within.has(prefix)) found.add(prefix);
  for (const child of source.children) outerPrefixes(child, within, found);
  return found;
}

/**
 * The bytes of a text in UTF-8, one character for each: such a text is sent as latin1, which needs neither counting nor encoding.
 * ASCII text is returned as it is.
 */
export const utf8Bytes = (text: string): string =>
  /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
