// From the bytes of an ad server's answer to what a break can use of it.
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';
import type { VastResponse } from '../response.ts';
import type { VastRefusal } from '../xml/refusal.ts';
import { type AnswerLimits, boundAnswer } from './boundAnswer.ts';
import { readAdDocument } from './readAdDocument.ts';
import type { VmapResponse } from './readVmap.ts';

/** What came over the wire. */
export type AnswerBytes = {
  /** After redirects. */
  readonly url: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
};

export type ReadAnswer = {
  readonly document: VastResponse | VmapResponse | VastRefusal;
  /** The first of its text. */
  readonly raw: string;
};

const MOST_RAW = 64 * 1024;

export function readAnswer({ url, bytes, contentType }: AnswerBytes, limits: AnswerLimits): ReadAnswer {
  const text = decodeXml(bytes, charsetOf(contentType));
  return { document: boundAnswer(readAdDocument(text, url), limits), raw: text.slice(0, MOST_RAW) };
}
