// From the bytes of an ad server's answer to what a break can use of it.
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';
import type { VastResponse } from '../response.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { limitResponse, type ResponseLimits } from './limitResponse.ts';
import { readAdDocument } from './readAdDocument.ts';
import type { VmapResponse } from './readVmap.ts';

/** What came over the wire. */
export type AdResponseBytes = {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
};

export type ParsedAdResponse = {
  readonly document: VastResponse | VmapResponse | VastReadFailure;
  /** The first of its text. */
  readonly raw: string;
};

const MOST_RAW = 64 * 1024;

export function readAdResponse({ url, bytes, contentType }: AdResponseBytes, limits: ResponseLimits): ParsedAdResponse {
  const text = decodeXml(bytes, charsetOf(contentType));
  return { document: limitResponse(readAdDocument(text, url), limits), raw: text.slice(0, MOST_RAW) };
}
