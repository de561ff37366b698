// XML that was escaped and put into an element as its text: web services wrap what they return in an element of their own.
import type { XmlElement } from '../../xml/element.ts';

const start = /^\s*(<|&(amp;)*lt;)[a-z?!]/i;

/** Whether the text of an element is XML, escaped once or more. */
export const isEscaped = ({ text }: XmlElement): boolean => start.test(text);

/** The first element, from the outermost on, of which the text is XML. */
export function escapedIn(element: XmlElement): XmlElement | undefined {
  if (isEscaped(element)) return element;
  for (const child of element.children) {
    const found = escapedIn(child);
    if (found) return found;
  }
  return undefined;
}

export const escapedReason = ({ name, text }: XmlElement): string =>
  `the element ${name} holds escaped XML ("${text.trim().slice(0, 20)}…" as text): it must be sent unescaped`;
