// An element that was read, written again for another document: what others put into extensions and protection
// descriptors is handed on, not understood.
import { declaredPrefix, prefixOf, type XmlElement } from './element.ts';
import { element, escapeText } from './write.ts';

/**
 * The element as text that stands alone: namespaces that were bound outside of it are declared on it, unless `known`
 * binds them alike where the text is going to stand. A prefix that nothing bound is left as it is.
 */
export function copyXml(source: XmlElement, known: Readonly<Record<string, string>> = {}): string {
  const needed: Record<string, string> = {};
  for (const prefix of outerPrefixes(source)) {
    const uri = source.namespaces[prefix];
    const attribute = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    if (uri && prefix !== 'xml' && known[prefix] !== uri) needed[attribute] = uri;
  }
  return write(source, needed);
}

/** What stands between the tags of an element, each child standing alone. */
export const copyContent = (source: XmlElement, known: Readonly<Record<string, string>> = {}): string =>
  (source.mixed ?? (source.children.length > 0 ? source.children : [source.text]))
    .map((piece) => (typeof piece === 'string' ? escapeText(piece) : copyXml(piece, known)))
    .join('');

function write(source: XmlElement, more: Readonly<Record<string, string>>): string {
  const inner = source.mixed ?? (source.children.length > 0 ? source.children : [source.text]);
  const written = inner.map((piece) => (typeof piece === 'string' ? escapeText(piece) : write(piece, {})));
  return element(source.name, { ...source.attributes, ...more }, ...(source.mixed ? [written.join('')] : written));
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
