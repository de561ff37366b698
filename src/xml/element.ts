// SPDX-License-Identifier: Apache-2.0
// The tree that read.ts returns. It keeps the content of a document, not its layout.

export type XmlElement = {
  /** As written, with its prefix. */
  readonly name: string;
  /** The name without its prefix. */
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
export const initialNamespaces: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
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
