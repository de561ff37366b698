// SPDX-License-Identifier: Apache-2.0
// Reads the bytes of an ad response, as far as a break can use them.
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';
import type { VastResponse } from '../response.ts';
import { readAdXml } from '../xml/adXml.ts';
import { isVmapRoot } from '../xml/documentRoots.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { limitResponse, type ResponseLimits } from './limitResponse.ts';
import { readVastElement } from './readVast.ts';
import { readVmapElement, type VmapResponse } from './readVmap.ts';

/** A response as received. */
export type AdResponseBytes = {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
};

export type ParsedAdResponse = {
  readonly document: VastResponse | VmapResponse | VastReadFailure;
  /** The start of its text. */
  readonly raw: string;
};

/** Kept of the text of a response. */
export const MAX_RAW_CHARACTERS = 64 * 1024;

export function readAdResponse({ url, bytes, contentType }: AdResponseBytes, limits: ResponseLimits): ParsedAdResponse {
  const text = decodeXml(bytes, charsetOf(contentType));
  return { document: limitResponse(readAdDocument(text, url), limits), raw: text.slice(0, MAX_RAW_CHARACTERS) };
}

// Reads the document that an ad server sent, either VAST or VMAP. The XML is parsed once.

/**
 * @param input the bytes as received, or their text
 * @param base URL of the document after redirects, against which relative URLs are resolved
 */
export function readAdDocument(
  input: Uint8Array | string,
  base?: string,
): VastResponse | VmapResponse | VastReadFailure {
  const xml = readAdXml(input);
  if (!('root' in xml)) return xml;
  const read = isVmapRoot(xml.root) ? readVmapElement : readVastElement;
  return read(xml.root, xml.warnings, base);
}
