// SPDX-License-Identifier: Apache-2.0
// The text of a response that could not be used, as a trace shows it.
import type { FailedResponse } from '../../ads/record/breakRecord.ts';
import { maskSecrets } from '../../ads/request/maskSecrets.ts';
import type { FailedBody } from '../../ads/request/ports.ts';
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';

/** A content type is a few dozen characters; a header may be anything. */
const MAX_CONTENT_TYPE = 200;

/** Text of a page, without what a store may reject and a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this replaces
const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');

/** @param secrets of the request, which a response may repeat */
export function failedText(
  { contentType, bytes }: FailedBody,
  secrets: readonly string[],
  maxBytes = Number.POSITIVE_INFINITY,
): FailedResponse {
  const text = decodeXml(bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes, charsetOf(contentType));
  return { contentType: contentType.slice(0, MAX_CONTENT_TYPE), raw: maskSecrets(printable(text), secrets) };
}
