// SPDX-License-Identifier: Apache-2.0
// Detects escaped XML in the text of an element. Some web services wrap their response in an element this way.
import type { XmlElement } from '../../xml/element.ts';

const start = /^\s*(<|&(amp;)*lt;)[a-z?!]/i;

/** Whether the text of an element is XML, escaped once or more. */
export const isEscaped = ({ text }: XmlElement): boolean => start.test(text);

/** The outermost element whose text is XML. */
export function escapedIn(element: XmlElement): XmlElement | undefined {
  if (isEscaped(element)) return element;
  for (const child of element.children) {
    const found = escapedIn(child);
    if (found) return found;
  }
  return undefined;
}

export const escapedReason = ({ name, text }: XmlElement): string =>
  `the element ${name} contains escaped XML ("${text.trim().slice(0, 20)}…"); it must be sent unescaped`;
