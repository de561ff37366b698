// An element that was read, written again for another document: what others put into extensions and protection
// descriptors is handed on, not understood.
import { declaredPrefix, prefixOf, type XmlElement } from './element.ts';
import { element, escapeText, inlineElement } from './write.ts';

/**
 * The element as text that stands alone: namespaces that were bound outside of it are declared on it, unless `known`
 * binds them alike where the text is going to stand. A prefix that nothing bound gets a name of its own, because a
 * reader that knows namespaces would refuse the whole document for it.
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

/** What stands between the tags of an element, each child standing alone. */
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

/** Prefixes used in the element and its descendants that they do not bind themselves. */
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
