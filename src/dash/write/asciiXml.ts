// SPDX-License-Identifier: Apache-2.0
/**
 * Markup in ASCII, which needs neither counting nor encoding when it is sent: other characters are written as references (XML 1.0
 * §4.1).
 */
export const asciiXml = (markup: string): string =>
  markup.replace(/[^\x20-\x7e\n]/gu, (other) => `&#${other.codePointAt(0)};`);
