// SPDX-License-Identifier: Apache-2.0
// Writes an element that was read into another document. Extensions and protection descriptors of third parties are passed
// on without being interpreted.
import { declaredPrefix, prefixOf, type XmlElement } from './element.ts';
import { element, escapeText, inlineElement } from './write.ts';

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
