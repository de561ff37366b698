// SPDX-License-Identifier: Apache-2.0
/** The URLs in a pasted text, whatever separates them. A comma or a semicolon may also be part of a URL. */
export const findUrls = (text: string): string[] =>
  text.match(/https?:\/\/[^\s"'<>]+?(?=[.,;)]*(?:[\s"'<>]|$)|[,;]https?:\/\/)/gi) ?? [];
