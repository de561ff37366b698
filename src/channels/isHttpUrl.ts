// SPDX-License-Identifier: Apache-2.0
/** True for an absolute http or https URL without blanks or control characters. Source: RFC 3986. */
export const isHttpUrl = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these characters silently, so they are rejected here
  /^https?:\/\/[^\s\u0000-\u001f\u007f]+$/i.test(text) && URL.canParse(text);
