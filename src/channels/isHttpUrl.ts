/** An absolute http or https URL that means what it says: no blanks, no control characters. Source: RFC 3986. */
export const isHttpUrl = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point; URL parsers drop them silently
  /^https?:\/\/[^\s\u0000-\u001f\u007f]+$/i.test(text) && URL.canParse(text);
