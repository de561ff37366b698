// The tree that read.ts makes of a text. It keeps what a document says and nothing of how it was laid out.

export type XmlElement = {
  /** As written, with its prefix. */
  readonly name: string;
  /** The name without its prefix. */
  readonly local: string;
  /** Undefined where nothing binds the prefix, or without a default namespace. */
  readonly namespace: string | undefined;
  /** By their names as written; without a prototype, so no name is special. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own character data as written, not its children's; white space between children is none. */
  readonly text: string;
  /** Where the start tag begins, counted from 1. */
  readonly line: number;
  /** The bindings in force: prefix (empty for the default) to URI. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Text and children in order, only where an element holds both. */
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

/** A fault of the document, with the line it was seen on, counted from 1. */
export type XmlFault = { readonly line: number; readonly code: XmlFaultCode; readonly reason: string };

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** What is bound in every document (Namespaces in XML 1.0 §3). */
export const initialNamespaces: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  xml: xmlNamespace,
  xmlns: xmlnsNamespace,
});

export const prefixOf = (name: string): string => {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
};

/** The binding that an attribute declares: its prefix, empty for the default namespace; undefined when it declares none. */
export const declaredPrefix = (attribute: string): string | undefined => {
  if (attribute === 'xmlns') return '';
  return attribute.startsWith('xmlns:') ? attribute.slice(6) : undefined;
};
